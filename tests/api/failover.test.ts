import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@candela/server/config';
import { type Connection, connect } from '@candela/server/db/connect';
import type { Database } from '@candela/server/db/database';
import { migrate } from '@candela/server/db/migrate';
import { transact, UndecidedError } from '@candela/server/db/transact';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createCommandRunner } from '@candela/server/testing/run-command';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Postgres, query, type Standby, startPostgres } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { basic } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';

interface Asked {
  query(text: string): Promise<{ rows: { id: string }[] }>;
}

/** The number of the transaction in which it is asked. */
const readNumber = async (asked: Asked): Promise<bigint> => {
  const { rows } = await asked.query('select cast(pg_current_xact_id() as text) as id');
  return BigInt(rows[0]?.id ?? 0);
};

/** How long a failover may keep people and apps waiting. */
const SECONDS = 5;

describe.skipIf(!testDatabaseUrl)('a primary and a standby in DATABASE_URL:', () => {
  let primary: Postgres;
  let standby: Standby;
  let connection: Connection;
  let world: World;
  beforeAll(async () => {
    primary = await startPostgres({ shared_buffers: '64MB', fsync: 'off' });
    const primaryUrl = await primary.createDatabase('candela');
    standby = await primary.standBy();
    // From now on what is acknowledged is on the standby too.
    await query(primaryUrl, `alter system set synchronous_standby_names = '*'`);
    await query(primaryUrl, 'select pg_reload_conf()');
    const hosts = [standby.port, primary.port].map((port) => `127.0.0.1:${port}`);
    const databaseUrl = `postgres://postgres@${hosts}/candela?target_session_attrs=read-write`;
    connection = await connect({ databaseUrl, dataDir: '', poolSize: 6 });
    await migrate(connection.db);
    world = await createWorld({ connection, env: { LOG_LEVEL: 'silent' } });
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    await primary?.stop();
  });

  const portInUse = async () => {
    const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(connection.db);
    return rows[0]?.port;
  };

  /**
   * Commits by a connection that loses the answer, and asks the server on `port` what happened, which has given the
   * number of the transaction to another one.
   */
  const loseCommit = async (port: number): Promise<unknown> => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: primary.port });
    const open = async (at: string) => {
      const client = new pg.Client({ connectionString: at });
      client.on('error', () => undefined);
      await client.connect();
      return Object.assign(client, { release: () => undefined });
    };
    const urlAt = (at: number) => `postgres://postgres@127.0.0.1:${at}/candela`;
    const clients = [await open(proxy.through(urlAt(primary.port))), await open(urlAt(port))];
    const end = async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    };
    let own = 0n;
    const connectNext = async () => {
      const client = clients.length > 1 ? clients.shift() : clients[0];
      if (!client) throw new Error('no connection');
      for (let given = 0n; given < own; ) given = await readNumber(client);
      return client;
    };
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: { options: {}, connect: connectNext, end } }),
    });
    try {
      return await transact(db, async (trx) => {
        own = await readNumber({ query: async (text) => sql.raw<{ id: string }>(text).execute(trx) });
        void proxy.loseAnswerTo('commit');
        return 'committed';
      });
    } catch (error) {
      return error;
    } finally {
      await db.destroy();
      await proxy.close();
    }
  };

  test('after a failover a lost commit is undecided, although another transaction has its number', async () => {
    const promoted = await primary.standBy();
    await promoted.promote();
    expect(await loseCommit(primary.port)).toBe('committed');
    expect(await loseCommit(promoted.port)).toBeInstanceOf(UndecidedError);
  });

  test('a standby is backed up as the primary is, without an entry in the record', async () => {
    const url = `postgres://postgres@127.0.0.1:${standby.port}/candela`;
    // What is acknowledged is on its disk, and not yet seen by its readers.
    await vi.waitFor(() => query(url, 'select from signing_key'), { timeout: SECONDS * 1000 });
    const copied = await connect({ databaseUrl: url, dataDir: '', poolSize: 1, patient: true });
    const run = createCommandRunner({
      config: readConfig({ SECRET_KEY: 'k'.repeat(32) }),
      connection: copied,
    });
    const directory = await mkdtemp(join(tmpdir(), 'candela-standby-'));
    const { status, out, error } = await run('backup', join(directory, 'standby.backup'));
    expect({ status, error }).toEqual({
      status: 0,
      error: expect.stringContaining(
        'the record has no entry of this: the database takes no writes, since it is a standby',
      ),
    });
    expect(out).toContain(' rows, as they were at ');
    await copied.close();
    await rm(directory, { recursive: true });
  });

  test('the standby is passed over, and after a failover requests, links and changes go on without a restart', async () => {
    expect(await portInUse()).toBe(primary.port);
    const app = await world.registerApp();
    const { agent, identifier } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const headers = { ...basic(app), origin: '', 'sec-fetch-site': '' };
    const post = (path: string, form: Record<string, string>) =>
      agent.request('POST', path, { form, headers });
    const refresh = () =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });

    await primary.destroy();
    expect((await refresh()).status).toBe(503);
    // Nobody takes writes yet: nothing is read of a standby, which may be behind.
    expect((await agent.get('/api/account')).status).toBe(503);
    await standby.promote();
    const promoted = performance.now();
    const refreshed = await vi.waitFor(
      async () => {
        const answer = await refresh();
        expect(answer.status).toBe(200);
        return answer;
      },
      { timeout: SECONDS * 1000, interval: 50 },
    );
    expect(performance.now() - promoted).toBeLessThan(SECONDS * 1000);
    expect(await portInUse()).toBe(standby.port);
    expect((await agent.get('/api/account')).status).toBe(200);
    await world.signIn(identifier);
    const { access_token } = refreshed.json();
    const introspect = async () => {
      const answer = await post('/oauth/introspect', { token: access_token });
      return answer.status === 200 ? answer.json().active : answer.status;
    };
    expect(await introspect()).toBe(true);

    // What listens has moved too.
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity where query like 'listen %'`.execute(
          connection.db,
        );
        expect(rows[0]?.count).toBe(1);
      },
      { timeout: SECONDS * 1000, interval: 50 },
    );
  }, 60_000);

  test('connections to a host that takes no writes any more are left at the first write that it refuses', async () => {
    const seen = async () => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection.db);
      return rows[0]?.pid;
    };
    const before = await seen();
    await sql`alter database candela set default_transaction_read_only = on`.execute(connection.db);
    const write = () => sql`delete from rate_limit where key = 'none'`.execute(connection.db);
    // The session that is open keeps its own setting until it is told.
    await sql`set default_transaction_read_only = on`.execute(connection.db);
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await expect(write()).rejects.toThrow('takes no writes');
    await query(
      `postgres://postgres@127.0.0.1:${standby.port}/postgres`,
      'alter database candela reset default_transaction_read_only',
    );
    await write();
    expect(await seen()).not.toBe(before);
  });
});
