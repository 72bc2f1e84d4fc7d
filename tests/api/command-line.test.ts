import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedDatabase, placePglite, testDatabaseUrl } from '@candela/server/testing/databases';
import { until } from '@candela/server/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandProgram, embeddedArgs, serverProgram } from '../support/programs.ts';
import { freePort } from '../support/world.ts';

const keys = { SECRET_KEY: 'k'.repeat(32), COOKIE_KEYS: 'c'.repeat(32) };
const base = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PATH: process.env.PATH,
  LOG_LEVEL: 'error',
};

const startServer = async (env: Record<string, string>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [...embeddedArgs, serverProgram], { env: { ...base, ...env } });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  for (; !text.includes('Ready in'); ) {
    const [code] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (typeof code === 'number') throw new Error(`the server ended: ${text}`);
  }
  return child;
};

// Commands open PostgreSQL beside the server. Beside the embedded database the server runs them.
const kinds = ['embedded', ...(testDatabaseUrl ? ['postgres'] : [])];

describe.each(kinds)(
  'candela beside a server on the %s database',
  (kind) => {
    let directory: string;
    let server: ChildProcess;
    let origin: string;
    let place: Record<string, string>;
    let drop: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'candela-commands-'));
      const PORT = String(await freePort());
      origin = `http://localhost:${PORT}`;
      place = { DATA_DIR: join(directory, 'data') };
      if (kind === 'postgres' && testDatabaseUrl) {
        const made = await createMigratedDatabase(testDatabaseUrl);
        drop = made.drop;
        place = { ...place, ...keys, DATABASE_URL: made.databaseUrl, PUBLIC_URL: origin };
      } else await placePglite(place.DATA_DIR ?? '');
      server = await startServer({ ...place, ...keys, PORT, PLAYGROUND_PORT: '0' });
    });
    afterAll(async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await drop?.();
      await rm(directory, { recursive: true, force: true });
    });

    const run = (...args: string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const options = { env: { ...base, ...place }, cwd: directory };
        execFile(process.execPath, [commandProgram, ...args], options, (error, stdout, stderr) =>
          // The first line names the database.
          resolve({
            code: error ? Number(error.code) : 0,
            stdout,
            stderr: stderr.replace(/^database: .*\n/, ''),
          }),
        );
      });
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    };

    /** The status of a token request by client credentials. */
    const statusOf = async (id: string, secret: string) => {
      const answer = await fetch(`${origin}/oauth/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      return answer.status;
    };
    const becomes = (status: number, id: string, secret: string) =>
      until(async () => (await statusOf(id, secret)) === status);

    test('a client is made, given secrets, disabled, enabled and deleted, and the server obeys within a second', async () => {
      const made = await ask('client', 'create', '--preset', 'machine', '--name', 'Lamp Importer');
      expect(made).toMatchObject({
        client_name: 'Lamp Importer',
        preset: 'machine',
        source: 'operator',
        secrets: [{ name: 'registered' }],
      });
      const { client_id: id, client_secret: first } = made;
      await becomes(200, id, first);

      // Two commands at once.
      const [second, third] = await Promise.all(
        ['second', 'third'].map((name) =>
          ask('client', 'add-secret', id, '--name', name, '--expires-in', '30d'),
        ),
      );
      expect(Date.parse(second.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
      await becomes(200, id, second.secret);
      await becomes(200, id, third.secret);
      expect(await run('client', 'remove-secret', id, 'registered')).toEqual({
        code: 0,
        stdout: 'removed: registered\n',
        stderr: '',
      });
      await becomes(401, id, first);
      expect(await statusOf(id, second.secret)).toBe(200);

      expect(await run('client', 'disable', id)).toMatchObject({ code: 0, stdout: `disabled: ${id}\n` });
      await becomes(401, id, second.secret);
      expect((await run('client', 'list')).stdout).toContain(`${id}\tLamp Importer\tevery brand\tdisabled\n`);
      expect(await run('client', 'enable', id)).toMatchObject({ code: 0, stdout: `enabled: ${id}\n` });
      await becomes(200, id, second.secret);

      const { stdout } = await run('client', 'show', id);
      expect(stdout).toMatch(/^client_id +\S+\nclient_name +Lamp Importer\npreset +machine\n/);
      expect(stdout).toMatch(
        /\nsecret "second" +made 20\S+Z, (?:never used|last used 20\S+Z), ends 20\S+Z\n/,
      );
      for (const { secret } of [{ secret: first }, second, third]) expect(stdout).not.toContain(secret);

      const unconfirmed = await run('client', 'delete', id);
      expect(unconfirmed).toMatchObject({ code: 2, stdout: '' });
      expect(unconfirmed.stderr).toMatch(
        `client delete ${id} needs --yes. "Lamp Importer" would end for good, with its 0 links, 2 secrets and all its tokens.`,
      );
      expect(await run('client', 'delete', id, '--yes')).toMatchObject({ code: 0 });
      await becomes(401, id, second.secret);
      const told = (await run('client', 'history', id)).stdout;
      expect(told).toMatch(/^20\S+Z\tdeleted\toperator\n/);
      expect(told).toContain('\tsecret_removed\toperator\n  client_secret: registered\n');
    });

    // Of the others commands.test.ts shows on both databases what they do.
    if (kind !== 'embedded') return;

    test('metadata is changed field by field, and a value that is empty clears one', async () => {
      const create = ['create', '--preset', 'web', '--name', 'Home Hub'];
      const callback = 'https://hub.example/callback';
      const printed = await run(
        'client',
        ...create,
        '--redirect-uri',
        callback,
        '--set',
        'client_uri=https://hub.example/',
      );
      const { id = '' } =
        /^client_id: (?<id>\S+)\nclient_secret: \S{43}\n$/.exec(printed.stdout)?.groups ?? {};
      const update = (...settings: string[]) =>
        run('client', 'update', id, ...settings.flatMap((setting) => ['--set', setting]));
      expect(
        await update(
          `redirect_uris=["${callback}","https://hub.example/back"]`,
          'client_name=Hub',
          'client_uri=',
        ),
      ).toEqual({ code: 0, stdout: `updated: ${id}\n`, stderr: '' });
      const shown = await ask('client', 'show', id);
      expect(shown).toMatchObject({
        client_name: 'Hub',
        redirect_uris: [callback, 'https://hub.example/back'],
      });
      expect(shown).not.toHaveProperty('client_uri');
    });

    test('an operator allows developers, and makes clients for them', async () => {
      await writeFile(join(directory, 'people.jsonl'), '{"email":"ada@example.com","nickname":"Ada"}\n');
      expect(await ask('account', 'import', 'people.jsonl')).toMatchObject({ imported: 1 });
      expect(await ask('developer', 'list')).toEqual([]);
      expect(await run('developer', 'allow', 'Ada@Example.com')).toMatchObject({ code: 0 });
      expect((await run('developer', 'list')).stdout).toContain('Ada');
      await ask(
        'client',
        'create',
        '--preset',
        'spa',
        '--name',
        'Colors',
        '--owner',
        'ada@example.com',
        '--redirect-uri',
        'https://colors.example/',
      );
      expect(await run('developer', 'revoke', 'ada@example.com')).toMatchObject({ code: 0 });
      expect(await ask('developer', 'list')).toEqual([]);
      for (const args of [
        ['developer', 'allow', 'bob@example.com'],
        ['developer', 'revoke', 'ada@example.com'],
        ['developer', 'allow', 'bob'],
      ])
        expect(await run(...args), args.join(' ')).toMatchObject({ code: 1, stdout: '' });
    });
  },
  240_000,
);
