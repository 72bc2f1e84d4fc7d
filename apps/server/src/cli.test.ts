import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresDatabase, testDatabaseUrl } from '../testing/databases.ts';
import { redactDatabaseUrl } from './ground/db/database-url.ts';

const cli = new URL('../dist/cli.js', import.meta.url).pathname;

// One database for all tests: creating it takes longer than all the tests do.
const directory = mkdtempSync(join(tmpdir(), 'candela-cli-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SECRET_KEY = 'k'.repeat(32);

/** Runs the command, with the environment of a server that has a SECRET_KEY unless `env` says otherwise. */
const runIn = (env: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args],
      {
        env: {
          // biome-ignore lint/style/noProcessEnv: where vitest lets the processes of tests keep compiled code
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          PATH: '/usr/bin:/bin',
          LOG_LEVEL: 'error',
          ...env,
        },
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
const dataDir = join(directory, 'data');

// Each command opens the database anew; opening the embedded database takes a second.
const postgres = testDatabaseUrl ? await createPostgresDatabase(testDatabaseUrl) : undefined;
afterAll(() => postgres?.drop());
const place = { DATA_DIR: dataDir, ...(postgres && { DATABASE_URL: postgres.databaseUrl }) };
const run = (...args: string[]) => runIn({ ...place, SECRET_KEY }, ...args);
const named = `database: ${postgres ? redactDatabaseUrl(postgres.databaseUrl) : `embedded in ${dataDir}/db`}\n`;

describe('candela', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    const made = await run('migrate');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^applied: 0001-accounts, /) });
    expect(made.stderr).toMatch(new RegExp(`^${named}migrations applied: \\d+\n$`));
  }, 120_000);

  test('a command creates neither secrets nor a database, but reports what is missing, and where', async () => {
    const nowhere = join(directory, 'nowhere');
    const file = join(directory, 'no-clients.json');
    await writeFile(file, '[]');
    for (const args of [['client', 'apply', file], ['client', 'list'], ['migrate']]) {
      expect(await runIn({ DATA_DIR: nowhere }, ...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: `SECRET_KEY is not set, and ${nowhere} has no secrets.json: a command makes no secrets, and needs the SECRET_KEY or the DATA_DIR of the server\n`,
      });
    }
    expect(await runIn({ DATA_DIR: nowhere, SECRET_KEY }, 'client', 'apply', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `database: embedded in ${nowhere}/db\nembedded in ${nowhere}/db: there is no Candela database. If it is the right place, a first start of the server or "candela migrate" makes one\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
    // Commands ignore the settings of gateways and cookies, even in production.
    const env = { ...place, SECRET_KEY: 'w'.repeat(32), EMBEDDED_DATABASE: 'accept-loss' };
    expect(await runIn({ ...env, NODE_ENV: 'production' }, 'client', 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^${named}SECRET_KEY does not open the salt`)),
    });
  });

  test('misuse exits with 2 and opens no database, and help exits with 0', async () => {
    expect(await run('client', 'apply', '--dryrun', 'clients.json')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'client apply has no option --dryrun\nusage: candela client apply FILE [--dry-run] [--json]\n',
    });
    expect(await run('client', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('example:\n  npx pnpm@12 candela client list'),
      stderr: '',
    });
  });

  test('account import imports, reports, and shows by its exit code whether all lines were imported', async () => {
    const file = join(directory, 'people.jsonl');
    await writeFile(file, '{"email":"ada@example.com"}\n{"email":"eve@example.com"}\n');
    const first = await run('account', 'import', file);
    expect(first).toMatchObject({ code: 0, stdout: 'imported 2, unchanged 0, refused 0\n' });
    expect(first.stderr).toContain('100 %  2 lines');

    await writeFile(file, '{"email":"ada@example.com"}\n{"email":"ada"}\n');
    const second = await run('account', 'import', file);
    expect(second.code).toBe(1);
    expect(second.stdout).toBe(
      `imported 0, unchanged 1, refused 1\n  email_invalid 1\nrefused lines: ${file}.refused.jsonl\n`,
    );
    expect(await readFile(`${file}.refused.jsonl`, 'utf8')).toBe('{"line":2,"reason":"email_invalid"}\n');
  });

  test('client apply lists its changes, also in a dry run, field by field and without secrets', async () => {
    const file = join(directory, 'clients.json');
    const alexa = {
      client_id: 'alexa',
      client_secret: 'a-long-random-secret-of-the-app-alone',
      client_name: 'Alexa',
      preset: 'alexa',
      vendor_id: 'M2EXAMPLE1234',
    };
    const apply = async (entry: object, ...flags: string[]) => {
      await writeFile(file, JSON.stringify([entry]));
      return run('client', 'apply', file, ...flags);
    };
    expect(await apply(alexa, '--dry-run')).toEqual({
      code: 0,
      stdout: 'added: alexa\n',
      stderr: `${named}dry run: nothing was written\n`,
    });
    expect(await apply(alexa)).toEqual({ code: 0, stdout: 'added: alexa\n', stderr: named });
    expect(await apply(alexa)).toEqual({ code: 0, stdout: 'unchanged: alexa\n', stderr: named });

    const secret = 'another:secret+that is long enough';
    const changed = { ...alexa, client_name: 'Alexa EU', client_secret: secret };
    const told = await apply(changed);
    expect(told).toMatchObject({
      code: 0,
      stdout: 'changed: alexa\n  client_name: "Alexa" -> "Alexa EU"\n  client_secret: another one\n',
    });
    expect(told.stderr).toContain(
      'warning: client "alexa" .client_secret has ":", "+", and spaces: "curl -u"',
    );
    expect(told.stdout + told.stderr).not.toContain(secret);
    expect(await run('client', 'disable', 'alexa')).toMatchObject({ code: 0, stdout: 'disabled: alexa\n' });
    expect((await run('client', 'list')).stdout).toBe('alexa\tAlexa EU\tevery brand\tdisabled\n');
    expect(await run('client', 'enable', 'nobody')).toMatchObject({
      code: 1,
      stderr: `${named}no client has the id "nobody"; client list shows them\n`,
    });
  });
});
