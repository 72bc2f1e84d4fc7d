import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrations } from '@candela/migrations';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk } from '../../../../../tests/support/tmpfs.ts';
import { createPostgresDatabase, testDatabaseUrl } from '../../../testing/databases.ts';
import { describeOnFreshDatabases } from '../../../testing/describe-on-databases.ts';
import { type Connection, connect } from './connect.ts';
import type { Database } from './database.ts';
import { listPendingMigrations, migrate } from './migrate.ts';
import { isOutage } from './outage.ts';
import { limitWaiting } from './waiting-time.ts';

test('the embedded database keeps its data, refuses a second opening until it is closed, and reports where it is damaged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-connect-'));
  const first = await connect({ dataDir });
  expect(await listPendingMigrations(first.db)).toEqual(Object.keys(migrations));
  expect((await migrate(first.db)).applied).toEqual(Object.keys(migrations));
  expect(await migrate(first.db)).toEqual({ applied: [] });
  expect(await listPendingMigrations(first.db)).toEqual([]);
  await first.db
    .insertInto('rate_limit')
    .values({ key: 'a', hits: 1, expires_at: new Date(0) })
    .execute();
  await expect(connect({ dataDir })).rejects.toThrow(
    `The embedded database in ${dataDir} is in use by process ${process.pid}`,
  );
  await first.close();
  expect(await readdir(dataDir)).toEqual(['db']);

  const second = await connect({ dataDir });
  expect(await second.db.selectFrom('rate_limit').select('key').execute()).toEqual([{ key: 'a' }]);
  await second.close();

  await writeFile(join(dataDir, 'db', 'PG_VERSION'), '99\n');
  await expect(connect({ dataDir })).rejects.toThrow(
    new RegExp(`^DATA_DIR: the embedded database in ${dataDir}/db does not open `),
  );
  expect(await readdir(dataDir)).toEqual(['db']);
  await rm(dataDir, { recursive: true });
}, 60_000);

test('what cannot be listed is not taken for nothing, and stays where it does not open', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-connect-'));
  await writeFile(join(dataDir, 'db'), 'a database, as far as anybody knows');
  await expect(connect({ dataDir })).rejects.toThrow(/^DATA_DIR: the embedded database in /);
  expect(await readFile(join(dataDir, 'db'), 'utf8')).toBe('a database, as far as anybody knows');
  await rm(dataDir, { recursive: true });
});

const disk = mountSmallDisk(60);
afterAll(() => disk?.unmount());

test.skipIf(!disk)(
  'a disk that is full while the embedded database is made is named, and once there is room it is made',
  async () => {
    const directory = disk?.directory ?? '';
    const ballast = join(directory, 'ballast');
    const dataDir = join(directory, 'data');
    await writeFile(ballast, Buffer.alloc(45 << 20));
    await expect(connect({ dataDir })).rejects.toThrow(
      new Error(
        `DATA_DIR: the disk of the embedded database in ${dataDir}/db is full (ENOSPC): make room, and start again`,
      ),
    );
    expect(await readdir(dataDir)).toEqual([]);
    await rm(ballast);
    const connection = await connect({ dataDir });
    expect(await listPendingMigrations(connection.db)).toEqual(Object.keys(migrations));
    await connection.close();
  },
);

describeOnFreshDatabases('a connection', (connection) => {
  test('values come back with the types of the tables', async () => {
    const { db } = connection;
    const at = new Date('2026-01-02T03:04:05.678Z');
    await db.insertInto('rate_limit').values({ key: 'a', hits: 1, expires_at: at }).execute();
    expect(await db.selectFrom('rate_limit').selectAll().executeTakeFirst()).toEqual({
      key: 'a',
      hits: 1,
      expires_at: at,
    });
    const { rows } = await sql`select 9007199254740991::int8 as big, '{"a":[1]}'::jsonb as json`.execute(db);
    expect(rows).toEqual([{ big: 9007199254740991, json: { a: [1] } }]);
  });

  test('a database that a newer release has migrated still serves', async () => {
    const { db } = connection;
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(db);
    expect(await migrate(db)).toEqual({ applied: [] });
  });

  test('a failing migration is named, with what is safe to do', async () => {
    const { db } = connection;
    await sql`delete from kysely_migration`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      /^the migration 0001-accounts failed: .* already exists\. Nothing of it was written/,
    );
  });
});

describe.skipIf(!testDatabaseUrl)('on PostgreSQL', () => {
  const createDatabase = () => createPostgresDatabase(testDatabaseUrl ?? '');

  test('several processes may migrate at once, and each migration is applied once', async () => {
    const { databaseUrl, drop } = await createDatabase();
    const connections = await Promise.all(
      Array.from({ length: 4 }, () => connect({ databaseUrl, dataDir: '', poolSize: 2 })),
    );
    const results = await Promise.all(connections.map(({ db }) => migrate(db)));
    expect(results.flatMap(({ applied }) => applied)).toEqual(Object.keys(migrations));
    await Promise.all(connections.map(({ close }) => close()));
    await drop();
  });

  describe('a request that waits too long for a slow database', () => {
    let place: Awaited<ReturnType<typeof createDatabase>>;
    let slow: Connection;
    beforeAll(async () => {
      place = await createDatabase();
      slow = await connect({ databaseUrl: place.databaseUrl, dataDir: '', poolSize: 4 });
    });
    afterAll(async () => {
      await slow.close();
      await place.drop();
    });
    const sleep = (db: Kysely<Database>, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
    const tooSlow = 'the database is too slow for a request';

    test('begins no other statement once it has waited long enough, and writes nothing of a transaction', async () => {
      const { db } = slow;
      await sql`create table kept (id integer)`.execute(db);
      const limits = { beginMs: 100, endMs: 60_000 };
      await limitWaiting(async () => {
        const writing = db.transaction().execute(async (trx) => {
          await sql`insert into kept values (1)`.execute(trx);
          await sleep(trx, 0.2);
          await sql`insert into kept values (2)`.execute(trx);
        });
        await expect(writing).rejects.toThrow(tooSlow);
        await expect(sleep(db, 0)).rejects.toSatisfy(isOutage);
      }, limits);
      expect((await sql`select from kept`.execute(db)).rows).toEqual([]);
    });

    test('is answered although its statement goes on, and what outlives it has no limit', async () => {
      const { db } = slow;
      let later: Promise<unknown> | undefined;
      const over = Promise.withResolvers<void>();
      await limitWaiting(
        async () => {
          await expect(sleep(db, 60)).rejects.toThrow(tooSlow);
          later = over.promise.then(() => sleep(db, 0));
        },
        { beginMs: 60_000, endMs: 100 },
      );
      over.resolve();
      await later;
    });
  });

  test('DR5: a migration waits for a table in use, and meanwhile keeps nobody waiting for it or another', async () => {
    const { databaseUrl, drop } = await createDatabase();
    const { db, close } = await connect({ databaseUrl, dataDir: '', poolSize: 4 });
    await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0032-leaving');
    let migrating: ReturnType<typeof migrate> | undefined;
    await db.transaction().execute(async (trx) => {
      // On a busy machine the others take longer than a transaction may do nothing.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await sql`select from activity`.execute(trx);
      migrating = migrate(db);
      await wait(1_500);
      // Behind a migration that waits without end this would wait too, and with locks of others be a deadlock.
      const others = db.connection().execute(async (one) => {
        await sql`set lock_timeout = '900ms'`.execute(one);
        await sql`select from activity, account, session`.execute(one);
        await sql`reset lock_timeout`.execute(one);
      });
      await others;
      await sql`select from account for update`.execute(trx);
    });
    expect((await migrating)?.applied.slice(0, 2)).toEqual([
      '0033-browser-of-activity',
      '0034-room-on-pages',
    ]);
    await close();
    await drop();
  });

  test.each([
    { prepared: undefined, names: ['candela'] },
    { prepared: false, names: [] },
  ])('statements are kept prepared by name unless that is off: $prepared', async ({ prepared, names }) => {
    const { databaseUrl, drop } = await createDatabase();
    const { db, close } = await connect({ databaseUrl, dataDir: '', poolSize: 1, prepared });
    await sql`select ${1}::int`.execute(db);
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db);
    expect(rows.map(({ name }) => name.replace(/_\d+$/, ''))).toEqual(names);
    await close();
    await drop();
  });

  test('a connection that is lost while idle, in use or in a transaction is replaced', async () => {
    const { databaseUrl, drop } = await createDatabase();
    const errors: Error[] = [];
    const { db, close } = await connect({
      databaseUrl,
      dataDir: '',
      poolSize: 2,
      onConnectionError: (error) => errors.push(error),
    });
    const killer = await connect({ databaseUrl, dataDir: '', poolSize: 1 });
    const killOthers = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(killer.db);

    await sql`select 1`.execute(db);
    await killOthers();
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await expect.poll(() => sql`select 1`.execute(db).then(({ rows }) => rows.length)).toBe(1);

    await expect(
      db.connection().execute(async (held) => {
        await sql`select 1`.execute(held);
        await killOthers();
        await sql`select 1`.execute(held);
      }),
    ).rejects.toThrow();
    await expect(
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        await killOthers();
        await sql`select 1`.execute(trx);
      }),
    ).rejects.toThrow();
    await expect.poll(() => sql`select 1`.execute(db).then(({ rows }) => rows.length)).toBe(1);
    await Promise.all([close(), killer.close()]);
    await drop();
  });
});
