import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseUrl } from '@candela/server/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/world.ts';

const main = new URL('../../apps/server/src/main.ts', import.meta.url).pathname;
const cli = new URL('../../apps/server/src/cli.ts', import.meta.url).pathname;

const launch = (script: string, args: string[], env: Record<string, string>) => {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, output };
};

/** Runs to the end. */
const run = async (script: string, args: string[], env: Record<string, string>) => {
  const { child, output } = launch(script, args, env);
  const [code] = await once(child, 'close');
  return { code, ...output };
};

const occupy = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const client = {
  client_id: 'app',
  client_secret: 'a secret of the app',
  redirect_uris: ['https://app.example/callback'],
};

describe('a start says in a line each what is wrong', () => {
  let directory: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'candela-start-'));
    env = {
      DATA_DIR: join(directory, 'data'),
      PORT: String(await freePort()),
      PLAYGROUND_PORT: '0',
      LOG_LEVEL: 'error',
    };
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('a database that is not there is named by its setting, in one line, by the command line too', async () => {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/candela`;
    const { code, stderr } = await run(cli, ['client', 'list'], { ...env, DATABASE_URL: url });
    expect([code, stderr]).toEqual([
      1,
      `DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    ]);
    const { child, output } = launch(main, [], { ...env, DATABASE_URL: url });
    await once(child.stderr, 'data');
    child.kill();
    await once(child, 'close');
    expect(output.stderr).toBe(
      `DATABASE_URL: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}; trying again for 15 s\n`,
    );
  });

  test.skipIf(!testDatabaseUrl)(
    'a database of a name that the server does not have ends the start at once',
    async () => {
      const url = new URL('/no_such_database', testDatabaseUrl).href;
      expect(await run(main, [], { ...env, DATABASE_URL: url })).toMatchObject({
        code: 1,
        stderr: 'DATABASE_URL: the database cannot be reached: database "no_such_database" does not exist\n',
      });
    },
  );

  test('a port that is taken is named by its setting', async () => {
    const port = await freePort();
    const taken = await occupy(port);
    expect(await run(main, [], { ...env, PORT: String(port) })).toMatchObject({
      code: 1,
      stderr: `PORT: ${port} on 127.0.0.1 is in use by another process\n`,
    });
    expect(await run(main, [], { ...env, PLAYGROUND_PORT: String(port) })).toMatchObject({
      code: 1,
      stderr: `PLAYGROUND_PORT: ${port} on 127.0.0.1 is in use by another process\n`,
    });
    taken.close();
  });

  test('files that cannot be used are named', async () => {
    const clients = join(directory, 'clients.json');
    await writeFile(clients, JSON.stringify([{ ...client, client_id: undefined }]));
    expect(await run(main, [], { ...env, CLIENTS_FILE: clients })).toMatchObject({
      code: 1,
      stderr: `CLIENTS_FILE ${clients}: [0].client_id is missing\n`,
    });
    const brands = join(directory, 'brands.json');
    await writeFile(brands, JSON.stringify([{ id: 'fjord', texts: { en: { 'login.titel': 'Come in' } } }]));
    expect(await run(main, [], { ...env, BRANDS_FILE: brands })).toMatchObject({
      code: 1,
      stderr: `BRANDS_FILE ${brands}: [0].texts.en.login.titel is unknown\n`,
    });
  });

  test('a brand that no host leads to is named', async () => {
    const brands = join(directory, 'two.json');
    await writeFile(brands, JSON.stringify([{ id: 'fjord' }, { id: 'loch' }]));
    const server = launch(main, [], { ...env, BRANDS_FILE: brands });
    await untilReady(server);
    expect(server.output.stdout).toContain(
      '  Not served   loch: it has no origin, and PUBLIC_URL is that of fjord\n',
    );
    const ended = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await ended;
  });

  test('a second process on the same directory is refused; the commands apply clients once it is gone', async () => {
    const first = launch(main, [], env);
    const file = join(directory, 'app.json');
    await writeFile(file, JSON.stringify([client]));
    try {
      await untilReady(first);
      const refused = `DATA_DIR: The embedded database in ${env.DATA_DIR} is in use by process ${first.child.pid}\n`;
      const second = await run(main, [], { ...env, PORT: String(await freePort()) });
      expect(second).toMatchObject({ code: 1, stderr: refused });
      expect(await run(cli, ['client', 'apply', file], env)).toMatchObject({ code: 1, stderr: refused });
    } finally {
      const ended = once(first.child, 'exit');
      first.child.kill('SIGTERM');
      await ended;
    }
    expect(await run(cli, ['client', 'apply', file], env)).toMatchObject({
      code: 0,
      stdout: 'registered: app\n',
    });
  });

  test('candela client apply makes the database, and tells of a bad file in a line', async () => {
    const fresh = { DATA_DIR: join(directory, 'fresh') };
    const file = join(directory, 'fresh.json');
    await writeFile(file, JSON.stringify([{ ...client, client_secret: undefined }]));
    expect(await run(cli, ['client', 'apply', file], fresh)).toMatchObject({
      code: 1,
      stderr: `${file}: [0].client_secret is missing: token_endpoint_auth_method is "client_secret_basic"; a public client says "none"\n`,
    });
    await writeFile(file, JSON.stringify([client]));
    expect(await run(cli, ['client', 'apply', file], fresh)).toMatchObject({
      code: 0,
      stdout: 'registered: app\n',
    });
    expect(JSON.parse(await readFile(join(fresh.DATA_DIR, 'secrets.json'), 'utf8'))).toHaveProperty(
      'secretKey',
    );
  });
}, 120_000);

async function untilReady({
  child,
  output,
}: {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
}) {
  while (!output.stdout.includes('Ready in')) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
