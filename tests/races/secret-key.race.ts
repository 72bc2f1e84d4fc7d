import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { query } from '../support/postgres.ts';
import { freePort } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

const built = new URL('../../apps/server/dist/', import.meta.url).pathname;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a process until it ends or is ready, and returns its exit code; a ready process is ended and counts as 0. */
const run = (script: string, args: string[], env: Record<string, string>) =>
  new Promise<Outcome>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(built, script), ...args],
      { env },
      (error, stdout, stderr) =>
        resolve({ code: stdout.includes('Ready in') ? 0 : Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('Ready in')) child.kill('SIGTERM');
    });
  });

const createSecret = () => randomBytes(32).toString('base64url');

describe.skipIf(!testDatabaseUrl)(`a wrong or missing SECRET_KEY${skipped}`, () => {
  let cluster: Cluster;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  let directory: string;
  let clientsFile: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'candela-secret-key-'));
    cluster = await fourProcesses();
    app = await cluster.registerApp();
    clientsFile = join(directory, 'clients.json');
    await writeFile(
      clientsFile,
      JSON.stringify([
        {
          client_id: app.clientId,
          client_secret: app.clientSecret,
          redirect_uris: [app.redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ]),
    );
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const wrong = async (missing = false) => {
    const { SECRET_KEY, COOKIE_KEYS, ...env } = cluster.env;
    const DATA_DIR = await mkdtemp(join(directory, 'data-'));
    const place = { ...env, DATA_DIR, CLIENTS_FILE: clientsFile, PORT: String(await freePort()) };
    return missing ? place : { ...place, SECRET_KEY: createSecret(), COOKIE_KEYS };
  };
  const snapshot = async () =>
    JSON.stringify([
      await cluster.db.selectFrom('client').selectAll().orderBy('id').execute(),
      await cluster.db.selectFrom('signing_key').selectAll().orderBy('kid').execute(),
      await cluster.db.selectFrom('pairwise_salt').selectAll().execute(),
      await cluster.db.selectFrom('kept_key').selectAll().orderBy('fingerprint').execute(),
    ]);

  test(
    'is refused by a server and by every command, before anything is written; running processes continue',
    async () => {
      const { agent } = await cluster.signUp();
      const { tokens } = await cluster.link(agent, app.rp);
      const before = await snapshot();
      const commands = [
        ['main.js'],
        ['cli.js', 'client', 'apply', clientsFile],
        ['cli.js', 'keys', 'rotate'],
        ['cli.js', 'sweep'],
      ];
      const env = await wrong();
      const outcomes = await Promise.all(commands.map(([script = '', ...args]) => run(script, args, env)));
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ code: 1, stdout: '' });
        expect(outcome.stderr.replace(/^database: .*\n/, '')).toMatch(
          /^SECRET_KEY does not open the signing key [\w-]+ and \d+ more in this database: .*\n$/,
        );
      }
      expect(await snapshot()).toBe(before);
      const requests = createTokenRequests(cluster, app);
      for (const { port } of cluster.processes) {
        expect((await requests.refresh(String(tokens.refresh_token), port)).status).toBe(200);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'no missing key is generated for a database with secrets, and no file is left behind',
    async () => {
      const before = await snapshot();
      const env = await wrong(true);
      for (const [script = '', ...args] of [['main.js'], ['cli.js', 'client', 'apply', clientsFile]]) {
        const outcome = await run(script, args, env);
        expect(outcome).toMatchObject({ code: 1, stdout: '' });
        expect(outcome.stderr).toBe(
          script === 'main.js'
            ? `SECRET_KEY is not set, and there is no ${env.DATA_DIR}/secrets.json, while this database has secrets already: with DATABASE_URL every process and every command needs the same SECRET_KEY and COOKIE_KEYS\n`
            : `SECRET_KEY is not set, and ${env.DATA_DIR} has no secrets.json: a command makes no secrets, and needs the SECRET_KEY or the DATA_DIR of the server\n`,
        );
        await expect(access(`${env.DATA_DIR}/secrets.json`)).rejects.toThrow('ENOENT');
      }
      expect(await snapshot()).toBe(before);
    },
    RACE_TIMEOUT,
  );

  test(
    'a database without secrets accepts the secrets of the first process, and of only one of two at once',
    async () => {
      const { databaseUrl, drop } = await createMigratedDatabase(testDatabaseUrl ?? '');
      const places = await Promise.all([wrong(true), wrong(true)]);
      const outcomes = await Promise.all(
        places.map((env) => run('main.js', [], { ...env, DATABASE_URL: databaseUrl })),
      );
      expect(outcomes.map(({ code }) => code).toSorted(), JSON.stringify(outcomes)).toEqual([0, 1]);
      const [winner] = outcomes
        .map(({ code }, index) => (code === 0 ? places[index] : undefined))
        .filter(Boolean);
      const loser = outcomes.find(({ code }) => code === 1);
      expect(loser?.stderr).toContain('while this database has secrets already');
      // The client’s secret is hashed under the accepted key, whichever process applied the client last.
      expect(await query(databaseUrl, 'select id from client')).toHaveLength(1);
      expect(await run('main.js', [], { ...winner, DATABASE_URL: databaseUrl } as never)).toMatchObject({
        code: 0,
      });
      await drop();
    },
    RACE_TIMEOUT,
  );
});
