import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testDatabaseUrl } from '../../../testing/databases.ts';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { connect } from './connect.ts';

/** A connection to the database that can lose notifications while everything else arrives, as behind a pooler. */
const startLossyWay = async (databaseUrl: URL) => {
  const way = { loses: true, url: '', close: async () => undefined as unknown };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = dial({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
    client.on('data', (chunk) => database.write(chunk));
    // NotificationResponse has type A, and arrives by itself while no query runs.
    database.on('data', (chunk) => (way.loses && chunk[0] === 0x41 ? undefined : client.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  way.url = url.href;
  way.close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return way;
};

describeOnDatabases('the change feed', (connection) => {
  let feed: ChangeFeed;
  const heard: (string | undefined)[] = [];
  const warn = vi.fn();

  beforeAll(async () => {
    feed = await createChangeFeed(connection, { warn });
    feed.on('client', (key) => heard.push(key));
    await vi.waitUntil(feed.isLive);
    heard.length = 0;
  });
  afterAll(async () => {
    await feed.close();
  });

  const save = (id: string) =>
    connection.db
      .insertInto('client')
      .values({ id, metadata: '{}', first_party: false } as never)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ first_party: true }))
      .execute();

  test('registering, changing or removing a client reports its id, and nothing else does', async () => {
    await save('an:app');
    await vi.waitUntil(() => heard.length === 1);
    await save('an:app');
    await connection.db.deleteFrom('client').where('id', '=', 'an:app').execute();
    await connection.db
      .insertInto('signing_key')
      .values({ kid: 'a key', alg: 'none', status: 'previous', sealed_jwk: '' })
      .execute();
    await save('last');
    await vi.waitUntil(() => heard.includes('last'));
    expect(heard).toEqual(['an:app', 'an:app', 'an:app', 'last']);
  });

  test('a change that is rolled back is not reported', async () => {
    heard.length = 0;
    const failing = connection.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('client')
        .values({ id: 'never', metadata: '{}', first_party: false } as never)
        .execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow();
    await save('after');
    await vi.waitUntil(() => heard.length > 0);
    expect(heard).toEqual(['after']);
  });

  test('closes while it still connects', async () => {
    const listening = await connection.listen('candela_changes', {
      onMessage: () => undefined,
      onLive: () => undefined,
    });
    await listening.close();
  });

  test.runIf(connection.kind === 'postgres')(
    'a lost connection is made anew, and everything counts as changed',
    async () => {
      heard.length = 0;
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`.execute(
        connection.db,
      );
      await vi.waitUntil(() => heard.includes(undefined), { timeout: 60_000 });
      await vi.waitUntil(feed.isLive);
      await save('anew');
      await vi.waitUntil(() => heard.includes('anew'));
    },
  );

  test.runIf(connection.kind === 'postgres')(
    'one that hears nothing does not count as told, and says once what to do',
    async () => {
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(connection.db);
      const url = new URL(testDatabaseUrl ?? '');
      url.pathname = `/${rows[0]?.name}`;
      const way = await startLossyWay(url);
      const lossy = await connect({ databaseUrl: url.href, directUrl: way.url, dataDir: '' });
      warn.mockClear();
      const states: boolean[] = [];
      const listening = await lossy.listen('candela_changes', {
        onMessage: () => undefined,
        onLive: (live) => states.push(live),
      });
      const losing = await createChangeFeed(lossy, { warn });
      const told: (string | undefined)[] = [];
      losing.on('client', (key) => told.push(key));
      await vi.waitUntil(() => warn.mock.calls.length > 0, { timeout: 60_000 });
      expect(losing.isLive()).toBe(false);
      expect(states).toEqual([]);

      way.loses = false;
      await vi.waitUntil(losing.isLive, { timeout: 60_000 });
      await save('told');
      await vi.waitUntil(() => told.includes('told'));
      expect(told).toEqual([undefined, 'told']);

      way.loses = true;
      await vi.waitUntil(() => !losing.isLive(), { timeout: 1_000 });
      expect(warn).toHaveBeenCalledOnce();
      await losing.close();
      await listening.close();
      await lossy.close();
      await way.close();
    },
    20_000,
  );
});
