import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { recordEvents } from '../../testing/recorded-events.ts';
import { callServer } from '../command-socket/call-server.ts';
import { type CommandSocket, serveCommands } from '../command-socket/serve-commands.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../logger.ts';
import { loadSigningKeys } from '../signing-key/signing-key.service.ts';
import { wireRegistrations } from '../wiring/registrations.ts';
import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { type CommandCall, type LendPlace, runCall } from './run-call.ts';

const groups = new Set(
  commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
);
/** Splits words as a shell does. */
const split = (words: string) =>
  [...words.matchAll(/'([^']*)'|"([^"]*)"|[^\s"']+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
const parse = (words: string) => parseCommandLine(split(words), commands);

test.each(commands)('candela $name explains itself with --help, with an example', (command) => {
  for (const words of [`${command.name} --help`, `help ${command.name}`]) {
    const call = parse(words);
    expect(call).toMatchObject({ kind: 'help', text: expect.stringContaining(command.summary) });
  }
  const example = parse(command.example);
  expect(example).toMatchObject({ kind: 'run', command });
});

test.each(['', ...groups])('candela %s --help lists its commands, with an example', (group) => {
  const call = parse(`${group} --help`);
  expect(call.kind).toBe('help');
  if (call.kind !== 'help') return;
  for (const { name, summary } of commands)
    expect(call.text.includes(summary), name).toBe(group === '' || name.startsWith(`${group} `));
  expect(call.text).toContain('example:\n  npx pnpm@12 candela ');
});

test.each([
  ['client list --jsno', 'client list has no option --jsno\nusage: candela client list [--json]\n'],
  ['client list --json=yes', '--json takes no value\nusage: candela client list [--json]\n'],
  ['client list -v', 'client list has no option -v\nusage: candela client list [--json]\n'],
  ['client apply', 'client apply needs FILE\nusage: candela client apply FILE [--dry-run] [--json]\n'],
  ['sweep now', 'sweep does not know what to do with now\nusage: candela sweep [--json]\n'],
  ['client frob', 'there is no command "client frob": see candela client --help\n'],
  ['frob', 'there is no command "frob": see candela --help\n'],
  ['help frob', 'there is no command "frob": see candela --help\n'],
  ['--json', 'no command was given: see candela --help\n'],
])('candela %s is misused, and answered with its usage', (words, text) => {
  expect(parse(words)).toEqual({ kind: 'misuse', text });
});

test('an argument that begins with - is accepted after --', () => {
  expect(parse('keys revoke -- -key')).toMatchObject({ kind: 'run', args: ['-key'] });
});

// As they are called: beside PostgreSQL in a process of their own, on the embedded database through its server.
describeOnDatabases('every command returns a value for --json', (connection) => {
  const directory = mkdtempSync(join(tmpdir(), 'candela-commands-'));
  const config = readConfig({
    DATA_DIR: directory,
    SECRET_KEY: 'k'.repeat(32),
    COOKIE_KEYS: 'c'.repeat(32),
  });
  const lend: LendPlace = (_command, _surroundings, work) =>
    work({
      config,
      connection,
      events: recordEvents(),
      prepare: async () => [],
      registrations: () => wireRegistrations({ config, connection, events: recordEvents() }),
    });
  let socket: CommandSocket | undefined;
  beforeAll(async () => {
    await loadSigningKeys({ db: connection.db, secretKeys: config.secretKeys });
    if (connection.kind === 'pglite')
      socket = await serveCommands({ dataDir: directory, commands, lend, logger: createLogger('silent') });
  });
  afterAll(async () => {
    await socket?.close();
    rmSync(directory, { recursive: true });
  });

  const answer = async (words: string) => {
    const said = { out: '', error: '' };
    const call: CommandCall = {
      argv: ['--json', ...split(words)],
      pathOf: (file) => resolve(directory, file),
      signal: new AbortController().signal,
      isTerminal: false,
      writeOut: (text) => {
        said.out += text;
      },
      writeError: (text) => {
        said.error += text;
      },
    };
    const status = socket
      ? await callServer(directory, call, directory)
      : await runCall(call, commands, lend);
    expect({ status, ...said }).toMatchObject({ status: 0 });
    return JSON.parse(said.out);
  };
  const fileOf = async (name: string, content: unknown) => {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  };

  test('PL18: a secret is in the answer that makes it, and in no other', async () => {
    const clients = await fileOf('clients.json', [
      {
        client_id: 'hub',
        client_secret: 'a-long-random-secret-of-the-app-alone',
        redirect_uris: ['https://hub.example/callback'],
      },
    ]);
    const identifier = 'https://lights.example/v1';
    const apis = await fileOf('apis.json', [
      { identifier, name: 'Lights', scopes: [{ name: 'lights:read' }] },
    ]);
    const people = await fileOf('people.jsonl', '{"email":"ada@example.com"}\n');
    const asked = new Set<string>();
    const answers: unknown[] = [];
    const ask = async (name: string, ...more: string[]) => {
      asked.add(name);
      const value = await answer([name, ...more].join(' '));
      answers.push(value);
      return value;
    };
    expect(await ask('migrate')).toEqual({ applied: [] });
    const added = { dryRun: true, entries: [{ id: 'hub', outcome: 'added', changes: [], warnings: [] }] };
    expect(await ask('client apply', clients, '--dry-run')).toEqual(added);
    expect(await ask('client apply', clients)).toEqual({ ...added, dryRun: false });
    expect(await ask('client list')).toMatchObject([
      { client_id: 'hub', disabled: false, source: 'operator' },
    ]);
    expect(await ask('client disable', 'hub')).toEqual({ id: 'hub', disabled: true });
    expect(await ask('client enable', 'hub')).toEqual({ id: 'hub', disabled: false });
    expect(await ask('resource apply', apis)).toMatchObject({
      entries: [{ id: identifier, outcome: 'added' }],
    });
    expect(await ask('resource list')).toMatchObject([{ identifier, name: 'Lights' }]);
    expect(await ask('account import', people)).toMatchObject({ imported: 1, refusedTotal: 0 });

    expect(await ask('developer allow', 'ada@example.com')).toMatchObject({ changed: true });
    expect(await ask('developer list')).toMatchObject([{ identifiers: ['ada@example.com'] }]);
    const { client_id: id, client_secret } = await ask(
      'client create',
      '--preset web --name Lamp --redirect-uri https://lamp.example/ --owner ada@example.com',
    );
    const { secret } = await ask('client add-secret', id, '--name next');
    expect([client_secret, secret]).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)));
    answers.splice(-2);
    expect(await ask('client update', id, '--set client_name=Lamps')).toMatchObject({ client_name: 'Lamps' });
    expect(await ask('client remove-secret', id, 'registered')).toEqual({ id, name: 'registered' });
    expect(await ask('client show', id)).toMatchObject({ secrets: [{ name: 'next' }], links: 0 });
    expect(await ask('client delete', id, '--yes')).toEqual({ id, links: 0 });
    const history = await ask('client history', id);
    expect(history.map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'disabled',
      'secret_removed',
      'updated',
      'secret_added',
      'created',
    ]);
    expect(await ask('developer revoke', 'ada@example.com')).toMatchObject({ nickname: expect.any(String) });

    const { token, ...facts } = await ask('registration-token create', '--name', 'CI', '--preset', 'native');
    expect(token).toMatch(/^[\w-]{43}$/);
    answers.splice(-1);
    expect(await ask('registration-token list')).toEqual([facts]);
    expect(await ask('registration-token revoke', facts.id)).toEqual({ id: facts.id });

    const keys = await ask('keys rotate');
    expect(keys).toEqual(await ask('keys list'));
    const { kid } = keys.find(({ status }: { status: string }) => status === 'next');
    expect(await ask('keys revoke', '--', kid)).toEqual({ kid });
    expect(await ask('secrets rotate')).toEqual({ sealedAnew: 0 });
    expect(await ask('sweep')).toEqual({ deleted: expect.any(Number) });
    expect([...asked].toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
    const told = JSON.stringify(answers);
    for (const value of ['a-long-random-secret-of-the-app-alone', client_secret, secret, token])
      expect(told).not.toContain(value);
    expect(told).not.toContain('"client_secret":');
  });
});
