import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { connect } from '@candela/server/db/connect';
import { createMigratedDatabase, placePglite, testDatabaseUrl } from '@candela/server/testing/databases';
import { until } from '@candela/server/testing/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../support/https-server.ts';
import { query } from '../support/postgres.ts';
import { commandProgram, embeddedArgs, serverProgram } from '../support/programs.ts';
import { freePort } from '../support/world.ts';

const launch = (script: string, args: string[], env: Record<string, string>, cwd?: string) => {
  const child = spawn(process.execPath, [...(env.DATABASE_URL ? [] : embeddedArgs), script, ...args], {
    cwd,
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PATH: process.env.PATH ?? '', ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, output };
};

/** Runs the server until it ends. */
const run = async (script: string, args: string[], env: Record<string, string>, cwd?: string) => {
  const { child, output } = launch(script, args, env, cwd);
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
  client_secret: 'a-secret-of-the-app-for-tests-only',
  redirect_uris: ['https://app.example/callback'],
};

const keys = { SECRET_KEY: 'k'.repeat(32), COOKIE_KEYS: 'c'.repeat(32) };

describe('a start reports each fault in one line', () => {
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
    await placePglite(join(directory, 'data'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('a missing database is named by its setting, in one line, also by the commands', async () => {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/candela`;
    const DATABASE_URL = url.replace('postgres@', 'postgres:moonlight@');
    const { code, stderr } = await run(commandProgram, ['client', 'list'], { ...env, ...keys, DATABASE_URL });
    const told = `DATABASE_URL ${url}: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`;
    expect([code, stderr]).toEqual([1, `database: ${url}\n${told}\n`]);
    const { child, output } = launch(serverProgram, [], { ...env, ...keys, DATABASE_URL });
    await once(child.stderr, 'data');
    child.kill();
    await once(child, 'close');
    expect(output.stderr).toBe(`${told}; trying again for 15 s\n`);
  });

  test.skipIf(!testDatabaseUrl)(
    'a wrong name of the database or person ends the start at once, and shows no password',
    async () => {
      const refusalAt = async (change: (url: URL) => void) => {
        const url = new URL(testDatabaseUrl ?? '');
        change(url);
        const { code, stderr } = await run(serverProgram, [], { ...env, ...keys, DATABASE_URL: url.href });
        expect(code).toBe(1);
        url.password = '';
        return stderr.replace(`DATABASE_URL ${url.href}: the database cannot be reached: `, '');
      };
      expect(
        await refusalAt((url) => {
          url.password = 'moonlight';
          url.pathname = '/no_such_database';
        }),
      ).toBe('database "no_such_database" does not exist\n');
      expect(
        await refusalAt((url) => {
          url.username = 'nobody';
          url.password = 'moonlight';
        }),
      ).toMatch(/^(role "nobody" does not exist|password authentication failed for user "nobody")\n$/);
    },
  );

  test.skipIf(!testDatabaseUrl)(
    'a database that takes no writes, or a role without rights, ends the start at once, and a command too',
    async () => {
      const { databaseUrl, drop } = await createMigratedDatabase(testDatabaseUrl ?? '');
      const settings = { ...env, ...keys, DATABASE_URL: databaseUrl };
      const { pathname } = new URL(databaseUrl);
      const ask = (text: string) => query(testDatabaseUrl ?? '', text);
      const refusalsAt = async (at: Record<string, string>) => {
        const online = await run(commandProgram, ['config', 'check', '--online'], at);
        const printed = [
          await run(serverProgram, [], at),
          await run(commandProgram, ['client', 'enable', 'hub'], at),
        ];
        for (const { code } of [online, ...printed]) expect(code).toBe(1);
        return [
          online.stderr.replace(/^wrong: /, ''),
          ...printed.map(({ stderr }) => stderr.replace(/^database: .*\n/, '')),
        ];
      };

      await ask(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
      const readOnly =
        'DATABASE_URL: the database takes no writes: default_transaction_read_only is on, for the server, the database or the role\n';
      expect(await refusalsAt(settings)).toEqual([readOnly, readOnly, readOnly]);
      const backup = await run(commandProgram, ['backup', join(directory, 'read-only.backup')], settings);
      expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining(' rows, as they were at ') });
      await ask(`alter database ${pathname.slice(1)} reset default_transaction_read_only`);

      const role = `looker_${process.pid}`;
      await ask(`create role ${role} login password 'moonlight'`);
      const url = new URL(databaseUrl);
      url.username = role;
      url.password = 'moonlight';
      const lacking = await refusalsAt({ ...settings, DATABASE_URL: url.href });
      url.password = '';
      expect(new Set(lacking.map((told) => told.replace(/table \w+/, 'table')))).toEqual(
        new Set([
          `DATABASE_URL ${url.href}: the role "${role}" lacks a right: permission denied for table. Name the role that owns Candela's tables, or make this one a member of it\n`,
        ]),
      );
      await ask(`drop role ${role}`);
      await drop();
    },
  );

  test('a certificate for another name ends the start at once, with the name of the setting', async () => {
    const { cert, key } = createCertificate('localhost');
    const authority = join(directory, 'authority.pem');
    await writeFile(authority, cert);
    // PostgreSQL accepts an SSLRequest with this byte.
    const database = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => undefined);
      });
    }).listen(0, '127.0.0.1');
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    const place = `postgres://candela@127.0.0.1:${port}/candela`;
    const DATABASE_URL = `${place}?sslmode=verify-full`;
    const outcome = await run(serverProgram, [], {
      ...env,
      ...keys,
      DATABASE_URL,
      NODE_EXTRA_CA_CERTS: authority,
    });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(
      new RegExp(`^DATABASE_URL ${place}: the database cannot be reached: Hostname/IP does not match .*\\n$`),
    );
    database.close();
  });

  test('all faults are reported at once, a line for each, with its setting and without secrets', async () => {
    const port = await freePort();
    const taken = await occupy(port);
    const clients = join(directory, 'broken.json');
    await writeFile(clients, '[\n  { "client_id": "app",\n    "client_secret": moonlight77 }\n]\n');
    const nowhere = await freePort();
    const { code, stdout, stderr } = await run(serverProgram, [], {
      NODE_ENV: 'production',
      PORT: String(port),
      METRICS_PORT: String(port),
      PUBLIC_URL: 'https://id.brand.com',
      DATABASE_URL: `postgres://candela:moonlight@127.0.0.1:${nowhere}/candela`,
      DATA_DIR: join(clients, 'data'),
      SECRET_KEY: 'moonlight',
      SMS_URL: 'http://sms.brand.com/',
      CLIENTS_FILE: clients,
      RESOURCES_FILE: join(directory, 'nowhere.json'),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').map((line) => line.replace(/^ {2}- /, ''))).toEqual([
      'The configuration cannot be used:',
      `PORT and METRICS_PORT are both ${port}`,
      `CLIENTS_FILE ${clients} is not JSON: line 3, column 22: invalid symbol`,
      `RESOURCES_FILE ${join(directory, 'nowhere.json')} does not exist`,
      'MAIL_FROM must be one plain address such as account@example.com, from which mail is sent',
      'SMS_SECRET needs at least 32 characters, with which SMS are signed',
      'COOKIE_KEYS is required in production',
      'SMTP_URL is required in production: the outbox is for development',
      'SMS_URL must be https in production, but for a gateway on this machine',
      'SECRET_KEY needs at least 32 characters in each of its keys',
      `DATA_DIR: ${clients}/data cannot be used: ${clients} is not a directory`,
      `PORT: ${port} on 127.0.0.1 is in use by another process`,
      `METRICS_PORT: ${port} on 127.0.0.1 is in use by another process`,
      `DATABASE_URL postgres://candela@127.0.0.1:${nowhere}/candela: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:${nowhere}`,
      '',
    ]);
    taken.close();
  });

  test('a port in use is named by its setting, before anything is written', async () => {
    const port = await freePort();
    const taken = await occupy(port);
    const DATA_DIR = join(directory, 'never');
    for (const setting of ['PORT', 'PLAYGROUND_PORT', 'METRICS_PORT'])
      expect(await run(serverProgram, [], { ...env, DATA_DIR, [setting]: String(port) })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `${setting}: ${port} on 127.0.0.1 is in use by another process\n`,
      });
    expect(existsSync(DATA_DIR)).toBe(false);
    taken.close();
  });

  test.skipIf(!testDatabaseUrl)(
    'a port that is taken while the server starts ends the start, and leaves no row that it serves',
    async () => {
      const { databaseUrl, drop } = await createMigratedDatabase(testDatabaseUrl ?? '');
      const { db, close } = await connect({ databaseUrl, dataDir: '', poolSize: 1 });
      const settings = { ...env, ...keys, LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl };
      for (const [setting, workers] of [
        ['PORT', '1'],
        ['METRICS_PORT', '1'],
        ['METRICS_PORT', '2'],
      ] as const) {
        const port = await freePort();
        const starting = await db.transaction().execute(async (trx) => {
          // The start waits for this row, behind its look at the ports.
          await sql`lock table pairwise_salt in access exclusive mode`.execute(trx);
          const { child, output } = launch(serverProgram, [], {
            ...settings,
            WORKERS: workers,
            [setting]: String(port),
          });
          await until(async () => {
            const { rows } = await sql`select from pg_locks where not granted
              and relation = 'pairwise_salt'::regclass`.execute(trx);
            return rows.length > 0;
          });
          return { child, output, taken: await occupy(port) };
        });
        await once(starting.child, 'close');
        expect(starting.output.stderr).toBe(
          `${setting}: ${port} on 127.0.0.1 is in use by another process\n`,
        );
        expect(starting.child.exitCode).toBe(1);
        expect(await db.selectFrom('serving_process').selectAll().execute()).toEqual([]);
        starting.taken.close();
      }
      await close();
      await drop();
    },
  );

  test('a host that is none of this machine is named by HOST, and not for each port', async () => {
    // RFC 5737: addresses for documentation.
    for (const HOST of ['192.0.2.7', 'no-such-host.invalid'])
      expect(await run(serverProgram, [], { ...env, HOST })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(`^HOST: ${HOST} is no address or name of this machine \\(\\w+\\)\\n$`),
        ),
      });
  });

  test.skipIf(!existsSync('/proc/self'))('a directory that nobody can make is named', async () => {
    const { code, stderr } = await run(serverProgram, [], { ...env, DATA_DIR: '/proc/candela' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^DATA_DIR: \/proc\/candela cannot be written \(\w+\)\n$/),
    ]);
  });

  test('files that cannot be used are named', async () => {
    const clients = join(directory, 'clients.json');
    await writeFile(clients, JSON.stringify([{ ...client, client_id: undefined }]));
    expect(await run(serverProgram, [], { ...env, CLIENTS_FILE: clients })).toMatchObject({
      code: 1,
      stderr: `CLIENTS_FILE ${clients}: [0].client_id is missing\n`,
    });
    const short = { ...client, client_secret: 'moonlight' };
    await writeFile(clients, JSON.stringify([short]));
    expect(await run(serverProgram, [], { ...env, CLIENTS_FILE: clients })).toMatchObject({
      code: 1,
      stderr: `CLIENTS_FILE: client "app" .client_secret is shorter than 32 characters: make one with "openssl rand -hex 32"\n`,
    });
    await writeFile(clients, JSON.stringify([{ ...short, redirect_uris: ['app'] }]));
    const { stderr } = await run(serverProgram, [], { ...env, CLIENTS_FILE: clients });
    expect(stderr.split('\n').slice(1, -1)).toEqual([
      expect.stringContaining('[0].redirect_uris[0] '),
      `  - CLIENTS_FILE ${clients}: [0].client_secret is shorter than 32 characters, which is refused unless the client has it already`,
    ]);
    const brands = join(directory, 'brands.json');
    await writeFile(brands, JSON.stringify([{ id: 'fjord', texts: { en: { 'login.titel': 'Come in' } } }]));
    expect(await run(serverProgram, [], { ...env, BRANDS_FILE: brands })).toMatchObject({
      code: 1,
      stderr: `BRANDS_FILE ${brands}: [0].texts.en.login.titel is unknown\n`,
    });
  });

  test('a second process on the same directory is refused; commands run in the first, or once it has ended; a brand without a host is named', async () => {
    const first = launch(serverProgram, [], env);
    const file = join(directory, 'app.json');
    await writeFile(file, JSON.stringify([client]));
    try {
      await untilReady(first);
      const refused = `DATA_DIR: The embedded database in ${env.DATA_DIR} is in use by process ${first.child.pid}`;
      const second = await run(serverProgram, [], { ...env, PORT: String(await freePort()) });
      expect(second).toMatchObject({ code: 1, stderr: `${refused}\n` });
      expect((await run(serverProgram, [], env)).stderr).toBe(
        `The configuration cannot be used:\n  - PORT: ${env.PORT} on 127.0.0.1 is in use by another process\n  - ${refused}\n`,
      );
      // Of the caller's environment only DATA_DIR counts.
      const { DATA_DIR = '' } = env;
      const elsewhere = { DATA_DIR, SECRET_KEY: 'another '.repeat(5), PORT: 'none', NODE_ENV: 'production' };
      const server = `database: embedded in ${DATA_DIR}/db, open in the server, process ${first.child.pid}\n`;
      expect(await run(commandProgram, ['client', 'apply', 'app.json'], elsewhere, directory)).toEqual({
        code: 0,
        stdout: 'added: app\n',
        stderr: server,
      });
      expect(await run(commandProgram, ['migrate'], elsewhere)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          `^${server}migrate: a server brings the schema up to date when it starts`,
        ),
      });
    } finally {
      const ended = once(first.child, 'exit');
      first.child.kill('SIGTERM');
      await ended;
    }
    expect(existsSync(join(env.DATA_DIR ?? '', 'command'))).toBe(false);
    expect(await run(commandProgram, ['client', 'apply', file], env)).toMatchObject({
      code: 0,
      stdout: 'unchanged: app\n',
    });
    const brands = join(directory, 'two.json');
    await writeFile(brands, JSON.stringify([{ id: 'fjord' }, { id: 'loch' }]));
    await writeFile(file, JSON.stringify([{ ...client, scope: 'openid lamps:on light:swich' }]));
    const apis = join(directory, 'apis.json');
    const lamps = { identifier: 'https://lamps.example/', name: 'Lamps', scopes: [{ name: 'lamps:on' }] };
    await writeFile(apis, JSON.stringify([lamps]));
    const again = launch(serverProgram, [], {
      ...env,
      BRANDS_FILE: brands,
      CLIENTS_FILE: file,
      RESOURCES_FILE: apis,
      PUBLIC_URL: 'https://id.example.test',
    });
    await untilReady(again);
    expect(again.output.stdout).toContain('  Clients      1 in CLIENTS_FILE: 1 changed\n');
    expect(again.output.stdout).toContain(
      '  Warning      client "app" .scope has "light:swich", which is no scope of the account or of an API\n',
    );
    expect(again.output.stdout).toContain('  Warning      TRUST_PROXY is 0, and PUBLIC_URL is https');
    expect(again.output.stdout).toContain(
      '  Not served   loch: it has no origin, and PUBLIC_URL is that of fjord\n',
    );
    const ended = once(again.child, 'exit');
    again.child.kill('SIGTERM');
    await ended;
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
