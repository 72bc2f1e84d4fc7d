import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../testing/until.ts';
import { createLogger } from '../../ground/logger.ts';
import { StartError } from '../../ground/start-error.ts';
import type { CommandPlace } from '../commands/command.ts';
import { command, MisuseError } from '../commands/command.ts';
import { callServer } from './call-server.ts';
import { type CommandSocket, serveCommands } from './serve-commands.ts';
import { findSocket, makeSocketPlace } from './socket-place.ts';

const started: AbortSignal[] = [];
const base = { summary: '', example: '' };

const commands = [
  command({
    ...base,
    name: 'say',
    args: ['FILE'],
    options: { loud: { does: '' } },
    run: async ({ args: [file], options: { loud }, pathOf, note, progress }) => {
      note(`progress on a ${progress.isTTY ? 'terminal' : 'pipe'}`);
      progress.write('half\r');
      return { value: { path: pathOf(file), loud }, lines: [pathOf(file)], refused: loud };
    },
  }),
  command({
    ...base,
    name: 'refuse',
    run: async () => {
      throw new StartError('no');
    },
  }),
  command({
    ...base,
    name: 'misuse',
    run: async () => {
      throw new MisuseError('not like this');
    },
  }),
  command({
    ...base,
    name: 'wait',
    run: async ({ signal }) => {
      started.push(signal);
      if (!signal.aborted) await once(signal, 'abort');
      signal.throwIfAborted();
      return { value: null, lines: [] };
    },
  }),
];

// None of these commands looks at its place.
const place = {} as CommandPlace;

describe('the socket of commands', () => {
  let dataDir: string;
  let socket: CommandSocket | undefined;
  beforeEach(async () => {
    started.length = 0;
    dataDir = await mkdtemp(join(tmpdir(), 'candela-socket-'));
    // A directory that everybody may read, as containers make them.
    await chmod(dataDir, 0o755);
  });
  afterEach(async () => {
    await socket?.close();
    socket = undefined;
    await rm(dataDir, { recursive: true });
  });

  const serve = async (directory = dataDir) => {
    const made = await serveCommands({
      dataDir: directory,
      commands,
      lend: (_command, _surroundings, work) => work(place),
      logger: createLogger('silent'),
    });
    socket = made;
    return made;
  };

  const callIn = async (directory: string, ...argv: string[]) => {
    const said = { out: '', error: '' };
    const writeOut = (text: string) => {
      said.out += text;
    };
    const writeError = (text: string) => {
      said.error += text;
    };
    const exit = await callServer(directory, { argv, isTerminal: true, writeOut, writeError }, '/home/ada');
    return { exit, ...said };
  };
  const call = (...argv: string[]) => callIn(dataDir, ...argv);

  const longDataDir = async () => {
    const long = join(dataDir, 'd'.repeat(120));
    await mkdir(long);
    return long;
  };

  const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8);

  test('PL18: is open to its user alone, in a directory of that user alone, and leaves with the server', async () => {
    const umask = process.umask(0);
    const { close } = await serve().finally(() => process.umask(umask));
    const path = join(dataDir, 'command/socket');
    expect((await lstat(path)).isSocket()).toBe(true);
    expect([await modeOf(path), await modeOf(dirname(path))]).toEqual(['600', '700']);
    await close();
    socket = undefined;
    expect(await readdir(dataDir)).toEqual([]);
    expect(await call('say', 'a.json')).toEqual({ exit: undefined, out: '', error: '' });
  });

  test('gives the answer, what goes beside it, and the exit status; files are those of the caller', async () => {
    await serve();
    expect(await call('say', 'a.json')).toEqual({
      exit: 0,
      out: '/home/ada/a.json\n',
      error: 'progress on a terminal\nhalf\r',
    });
    const loud = await call('say', '/srv/b.json', '--loud', '--json');
    expect(loud.exit).toBe(1);
    expect(JSON.parse(loud.out)).toEqual({ path: '/srv/b.json', loud: true });
    expect(await call('refuse')).toEqual({ exit: 1, out: '', error: 'no\n' });
    expect(await call('misuse')).toEqual({ exit: 2, out: '', error: 'not like this\n' });
    // The caller is of a release that has a command more.
    expect(await call('sing')).toMatchObject({
      exit: 2,
      error: expect.stringContaining('no command "sing"'),
    });
  });

  test('serves calls side by side', async () => {
    const { close } = await serve();
    const waiting = [call('wait'), call('wait')];
    await until(() => started.length === 2);
    expect(await call('say', 'a.json')).toMatchObject({ exit: 0 });
    const [closed, ...ended] = await Promise.all([close(), ...waiting]);
    socket = undefined;
    expect(closed).toBeUndefined();
    const early = { exit: 1, error: expect.stringMatching(/^the server is stopping, .+: run it again\n$/) };
    expect(ended).toEqual([expect.objectContaining(early), expect.objectContaining(early)]);
  });

  test('lets a command know that its caller is gone', async () => {
    await serve();
    const socketPath = await findSocket(dataDir);
    const sent = request({ socketPath, method: 'POST' }).on('error', () => undefined);
    sent.end(JSON.stringify({ argv: ['wait'], cwd: '/', isTerminal: false }));
    await until(() => started.length === 1);
    sent.destroy();
    await until(() => started[0]?.aborted === true);
  });

  test('refuses a body that is no call, and serves on', async () => {
    await serve();
    const socketPath = await findSocket(dataDir);
    for (const body of ['', 'null', '{"argv":"say"}']) {
      const sent = request({ socketPath, method: 'POST' });
      sent.end(body);
      await expect(once(sent, 'response'), body).rejects.toThrow('socket hang up');
    }
    expect(await call('say', 'a.json')).toMatchObject({ exit: 0 });
  });

  test('works where the path of the directory is longer than the system takes for a socket', async () => {
    const long = await longDataDir();
    const { close } = await serve(long);
    expect(await callIn(long, 'say', 'a.json')).toMatchObject({ exit: 0 });
    const short = await readlink(join(long, 'command/socket'));
    expect([await modeOf(short), await modeOf(dirname(short))]).toEqual(['600', '700']);
    await close();
    socket = undefined;
    expect(await readdir(long)).toEqual([]);
    await expect(lstat(dirname(short))).rejects.toThrow('ENOENT');
  });

  test.each(['short', 'long'])('replaces that of a killed process, by a %s path', async (kind) => {
    const directory = kind === 'long' ? await longDataDir() : dataDir;
    const before = await makeSocketPlace(directory);
    const listen = `require('node:net').createServer().listen(process.argv[1], () => console.log('listens'))`;
    const child = spawn(process.execPath, ['-e', listen, before], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect((await lstat(before)).isSocket()).toBe(true);
    expect((await callIn(directory, 'say', 'a.json')).exit).toBeUndefined();
    await serve(directory);
    expect((await callIn(directory, 'say', 'a.json')).exit).toBe(0);
    if (kind === 'long') await expect(lstat(dirname(before))).rejects.toThrow('ENOENT');
  });

  test('leaves alone what else is in its directory', async () => {
    await mkdir(join(dataDir, 'command'));
    await writeFile(join(dataDir, 'command/notes'), 'mine');
    const { close } = await serve();
    expect(await modeOf(join(dataDir, 'command'))).toBe('700');
    await close();
    socket = undefined;
    expect(await readdir(join(dataDir, 'command'))).toEqual(['notes']);
  });

  test('is not sought in a directory that others may write', async () => {
    await mkdir(join(dataDir, 'command'));
    await mkdir(join(dataDir, 'shared'));
    await symlink(join(dataDir, 'shared/socket'), join(dataDir, 'command/socket'));
    await chmod(join(dataDir, 'shared'), 0o700);
    expect(await findSocket(dataDir)).toBe(join(dataDir, 'shared/socket'));
    await chmod(join(dataDir, 'shared'), 0o777);
    expect(await findSocket(dataDir)).toBeUndefined();
  });

  test('is of its user: another one is told to run the command as that user', async () => {
    await serve();
    await chmod(dataDir, 0);
    // A superuser may read everything.
    const script = `import { findSocket } from ${JSON.stringify(import.meta.resolve('./socket-place.ts'))};
      if (process.getuid() === 0) process.setuid(65534);
      findSocket(process.argv[1]).then(console.log, ({ message }) => console.log(message));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir]);
    const [told] = await once(child.stdout, 'data');
    await chmod(dataDir, 0o700);
    expect(String(told)).toMatch(/^DATA_DIR: the user \S+ may not read .+: run the command as the user of /);
  });

  test.each([
    ['before', ''],
    ['after', '{"error":"half\\n"}\n'],
    ['in the middle of', '{"exit":'],
  ])('a connection that breaks off %s the answer begins is reported', async (_when, text) => {
    const server = createServer((_request, response) => {
      if (!text) return response.destroy();
      response.write(text, () => response.destroy());
    });
    await once(server.listen(await makeSocketPlace(dataDir)), 'listening');
    await expect(call('say', 'a.json')).rejects.toThrow(/^the server ended, or broke the connection off, /);
    server.close();
  });
});
