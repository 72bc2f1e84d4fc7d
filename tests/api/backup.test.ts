import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { restoreBackup } from '@candela/server/backup/restore';
import { writeBackup } from '@candela/server/backup/write';
import { type Connection, connect, connectInMemory } from '@candela/server/db/connect';
import { listPendingMigrations, migrateInside } from '@candela/server/db/migrate';
import {
  createPostgresDatabase,
  openTestDatabases,
  type TestDatabase,
  testDatabaseUrl,
} from '@candela/server/testing/databases';
import { createPhoto } from '@candela/server/testing/pictures';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkApp } from '../oidc/refresh-link.ts';
import { createTokenRequests } from '../support/cluster.ts';
import { createWorld, type World } from '../support/world.ts';

const SECRET_KEY = 's'.repeat(32);
const release = '0.0.0';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-backup-'));
});
afterAll(() => rm(directory, { recursive: true }));
const newPath = () => join(directory, `${randomBytes(6).toString('hex')}.backup`);

const dumpEmpty = async (): Promise<Blob> => {
  const connection = await connectInMemory();
  const dump = await connection.dump();
  await connection.close();
  return dump;
};
let emptyDump: Promise<Blob> | undefined;

/** An empty embedded database. To load one takes a fifth of the time of making one. */
const openEmptyPglite = async (): Promise<Connection> => {
  emptyDump ??= dumpEmpty();
  return connectInMemory(await emptyDump);
};

/** An empty database, without a schema. */
const openEmpty = async (name: TestDatabase['name']): Promise<Connection> => {
  if (name === 'pglite') return openEmptyPglite();
  const { databaseUrl, drop } = await createPostgresDatabase(testDatabaseUrl ?? '');
  const connection = await connect({ databaseUrl, dataDir: '', poolSize: 2 });
  return {
    ...connection,
    close: async () => {
      await connection.close();
      await drop();
    },
  };
};

const restore = (
  connection: Connection,
  path: string,
  options: Partial<Parameters<typeof restoreBackup>[0]> = {},
) => restoreBackup({ connection, path, secretKeys: [SECRET_KEY], replace: false, ...options });

/** All rows of all tables, and what tells them apart. */
const contentOf = async ({ db }: Connection) => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname !~ '^kysely|^serving'
    order by relname collate "C"`.execute(db);
  const content: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(each) as row from ${sql.table(name)} as each order by to_jsonb(each)::text collate "C"`.execute(
      db,
    );
    content[name] = rows.map(({ row }) => row);
  }
  return content;
};

const env = { SECRET_KEY, COOKIE_KEYS: 'c'.repeat(32) };

/** A person with a picture, two links, of which one was withdrawn, and a refreshed one. */
const settle = async (world: World) => {
  const { agent, identifier } = await world.signUp();
  const raw = await createPhoto();
  const headers = { 'content-type': 'image/jpeg' };
  const { avatar } = (await agent.request('PUT', '/api/account/avatar', { raw, headers })).json();
  const app = await world.registerApp();
  const [link, withdrawn] = [await linkApp(world, agent, app), await linkApp(world, agent, app)];
  const { refresh_token: latest } = (await link.requests.refresh(link.first)).json();
  expect((await agent.delete(`/api/authorizations/${withdrawn.grantId}`)).status).toBe(204);
  return { agent, identifier, avatar, app, latest, withdrawn: withdrawn.first };
};

const bytesAt = async (world: World, path: string) =>
  Buffer.from(await (await fetch(`${world.origin}${path}`)).arrayBuffer());

const keysOf = async (world: World) => (await fetch(`${world.origin}/oauth/jwks`)).json();

const databases = openTestDatabases();
/** Each is written from, and restored into, once: where there are two, into the other one. */
const pairs = databases.map(
  (from, index) => [from.name, databases.at(index - 1)?.name ?? from.name] as const,
);

describe.each(pairs)('a backup of %s, restored into %s', (from, to) => {
  test('PL19: brings back sign-ins, links, pictures and keys, and nothing that was withdrawn', async () => {
    const source = databases.find(({ name }) => name === from);
    const connection = await source?.open();
    if (!connection) throw new Error(`there is no ${from}`);
    const world = await createWorld({ connection, env });
    const port = String(world.ports[0]);
    const person = await settle(world);
    const picture = await bytesAt(world, person.avatar);
    const keys = await keysOf(world);
    const path = newPath();
    const written = await writeBackup({ connection, path, release });
    const content = await contentOf(connection);
    expect((await person.agent.get('/api/account')).status).toBe(200);
    await world.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);

    const target = await openEmpty(to);
    const restored = await restore(target, path);
    expect(restored).toMatchObject({ at: written.at, migrated: [] });
    expect(await contentOf(target)).toEqual(content);

    const again = await createWorld({ connection: target, env: { ...env, PORT: port } });
    expect(await keysOf(again)).toEqual(keys);
    expect((await bytesAt(again, person.avatar)).equals(picture)).toBe(true);
    expect((await person.agent.get('/api/account')).status).toBe(200);
    const tokens = createTokenRequests(again, person.app);
    expect((await tokens.refresh(person.latest)).status).toBe(200);
    expect((await tokens.refresh(person.withdrawn)).json()).toMatchObject({ error: 'invalid_grant' });
    await again.signIn(person.identifier);
    // Numbers of rows go on behind those of the backup, and changes are told again.
    await again.signUp();
    await again.registerApp();
    await again.close();
  });
});

describe.each(databases)('on $name', ({ name, open }) => {
  let path: string;
  let rows: Record<string, number>;
  beforeAll(async () => {
    const connection = await open();
    const world = await createWorld({ connection, env });
    await settle(world);
    path = newPath();
    ({ rows } = await writeBackup({ connection, path, release }));
    await world.close();
  });
  const expectEmpty = async (connection: Connection) => expect(await contentOf(connection)).toEqual({});

  /** The lines of the backup, changed and packed again. */
  const forge = async (change: (lines: string[]) => string[]) => {
    const forged = newPath();
    const lines = gunzipSync(await readFile(path))
      .toString()
      .split('\n');
    await writeFile(forged, gzipSync(change(lines).join('\n')));
    return forged;
  };
  const withHeader = (change: object) =>
    forge(([header = '', ...rest]) => [JSON.stringify({ ...JSON.parse(header), ...change }), ...rest]);

  test('PL20: a file that is cut off, damaged, foreign or of a newer release is refused before anything is written', async () => {
    const { size } = await stat(path);
    const cut = newPath();
    await writeFile(cut, await readFile(path));
    await truncate(cut, size - 20);
    const flipped = newPath();
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(size >> 1) ^ 1, size >> 1);
    await writeFile(flipped, bytes);
    const text = newPath();
    await writeFile(text, 'a dump of something else');
    const { migrations } = JSON.parse(
      gunzipSync(await readFile(path))
        .toString()
        .split('\n')[0] ?? '',
    );
    const refused: [string, RegExp][] = [
      [cut, /its end is missing/],
      [flipped, /it is damaged|is damaged|what it holds is not what its end says/],
      [text, /it is no backup of Candela/],
      [join(directory, 'none'), /ENOENT/],
      [await forge((lines) => lines.slice(0, -2)), /its end is missing/],
      [await forge((lines) => lines.toSpliced(3, 1)), /what it holds is not what its end says|is damaged/],
      [await forge((lines) => lines.with(3, '"(forged)"')), /is damaged|what it holds|SECRET_KEY/],
      [await forge(([header = '']) => [header, `"${'x'.repeat(1 << 25)}`]), /one of its lines is too long/],
      [await withHeader({ format: 2 }), /its format is 2, and this release reads format 1/],
      [
        await withHeader({ release: '9.0.0', migrations: [...migrations, '0999-later'] }),
        /release 9\.0\.0 made it, and this release does not know its migrations 0999-later/,
      ],
      [await withHeader({ migrations: migrations.slice(1) }), /its migrations are not those of any release/],
    ];
    const connection = await openEmpty(name);
    for (const [file, why] of refused) await expect(restore(connection, file), file).rejects.toThrow(why);
    await expect(restore(connection, path, { secretKeys: ['w'.repeat(32)] })).rejects.toThrow(
      /^SECRET_KEY does not open .* and \d+ more in .*\.backup: /,
    );
    await expectEmpty(connection);
    await connection.close();
  });

  test('a restore that fails or is given up leaves the database empty', async () => {
    const connection = await openEmpty(name);
    const giving = new AbortController();
    await expect(
      restore(connection, path, {
        onProgress: ({ done }) => done === 'restored' && giving.abort(new Error('given up')),
        signal: giving.signal,
      }),
    ).rejects.toThrow('given up');
    await expectEmpty(connection);
    await connection.close();
  });

  test('a database that is there is only replaced on demand, and not while a process serves it', async () => {
    const connection = await openEmpty(name);
    await sql`create table other (id text)`.execute(connection.db);
    await expect(restore(connection, path, { replace: true })).rejects.toThrow(/is none of Candela/);
    await sql`drop table other`.execute(connection.db);
    await restore(connection, path);
    await expect(restore(connection, path)).rejects.toThrow(/--replace --yes/);
    await connection.db.updateTable('account').set({ nickname: 'Changed' }).execute();
    const serve = sql`insert into serving_process (id, secret_keys, seen_at) values ('a', '{}', now())`;
    await serve.execute(connection.db);
    await expect(restore(connection, path, { replace: true })).rejects.toThrow(
      /1 processes serve this database/,
    );
    await connection.db.deleteFrom('serving_process').execute();
    // What an extension made is no table or function of ours.
    if (name === 'postgres') await sql`create extension pgcrypto`.execute(connection.db);
    await restore(connection, path, { replace: true });
    const { nickname } = await connection.db
      .selectFrom('account')
      .select('nickname')
      .executeTakeFirstOrThrow();
    expect(nickname).not.toBe('Changed');
    await connection.close();
  });

  test('what others keep in the same schema is not dropped', async () => {
    const connection = await openEmpty(name);
    const { db } = connection;
    await restore(connection, path);
    await sql`create table invoices (id int generated always as identity, total int)`.execute(db);
    await sql`insert into invoices (total) values (12)`.execute(db);
    const sum = sql`create function total() returns bigint language sql as 'select sum(total) from invoices'`;
    await sum.execute(db);
    await restore(connection, path, { replace: true });
    const { rows: kept } = await sql`select id, total()::int from invoices`.execute(db);
    expect(kept).toEqual([{ id: 1, total: 12 }]);

    await sql`create view people as select nickname from account`.execute(db);
    await expect(restore(connection, path, { replace: true })).rejects.toThrow(
      /depends on its tables.* or restore into an empty database:\nview people depends on table account/s,
    );
    await sql`drop view people`.execute(db);

    // The release before cannot tell which tables a newer one made.
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`.execute(db);
    await expect(restore(connection, path, { replace: true })).rejects.toThrow(
      /a newer release made this database.* tables invoices are/,
    );
    await sql`drop table invoices cascade`.execute(db);
    await restore(connection, path, { replace: true });
    await connection.close();
  });

  test('a backup of an older schema is loaded into that schema, and migrated on', async () => {
    const source = await openEmpty(name);
    await source.db.transaction().execute((trx) => migrateInside(trx, '0025-client-documents'));
    await sql`insert into account (id, nickname, locale, status, created_at, updated_at)
      values ('a', 'Ada', 'en', 'active', now(), now())`.execute(source.db);
    const older = newPath();
    await writeBackup({ connection: source, path: older, release });
    await source.close();
    const connection = await openEmpty(name);
    const { migrated } = await restore(connection, older);
    expect(migrated[0]).toBe('0026-disabled-accounts');
    expect(await listPendingMigrations(connection.db)).toEqual([]);
    const account = await connection.db.selectFrom('account').selectAll().executeTakeFirst();
    expect(account).toMatchObject({ id: 'a', nickname: 'Ada', disabled_at: null });
    await connection.close();
  });

  test('nothing is overwritten, and a backup that is given up leaves no file', async () => {
    const connection = await open();
    await expect(writeBackup({ connection, path, release })).rejects.toThrow(/exists already/);
    const other = newPath();
    await writeFile(`${other}.part`, 'of another');
    await expect(writeBackup({ connection, path: other, release })).rejects.toThrow(
      /another backup is writing it/,
    );
    expect(await readFile(`${other}.part`, 'utf8')).toBe('of another');
    await rm(`${other}.part`);
    const giving = new AbortController();
    giving.abort(new Error('given up'));
    await expect(writeBackup({ connection, path: other, release, signal: giving.signal })).rejects.toThrow(
      'given up',
    );
    const missing = join(directory, 'missing', 'file');
    await expect(writeBackup({ connection, path: missing, release })).rejects.toThrow(/ENOENT/);
    expect((await readdir(directory)).filter((file) => file.endsWith('.part'))).toEqual([]);
    // Its cursors are closed: the next one works.
    await writeBackup({ connection, path: other, release });
    await connection.close();
  });

  test('tables and columns that others made are left out and named, and the rest is restored', async () => {
    const source = await open();
    await sql`create table invoices (x int)`.execute(source.db);
    await sql`alter table account add column note text default 'of another'`.execute(source.db);
    await sql`insert into account (id, nickname, locale, status, created_at, updated_at)
      values ('a', 'Ada (a, "b")', 'en', 'active', now(), now())`.execute(source.db);
    const other = newPath();
    const { leftOut } = await writeBackup({ connection: source, path: other, release });
    expect(leftOut.toSorted()).toEqual(['column note of account', 'table invoices']);
    await source.close();
    const target = await openEmpty(name);
    await restore(target, other);
    const accounts = await sql`select * from account`.execute(target.db);
    expect(accounts.rows).toMatchObject([{ id: 'a', nickname: 'Ada (a, "b")' }]);
    expect(accounts.rows[0]).not.toHaveProperty('note');
    await target.close();
  });

  test('what a newer release made is in the backup: this one cannot tell it from what others made', async () => {
    const source = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(source.db);
    await sql`create table of_later (x int)`.execute(source.db);
    const written = await writeBackup({ connection: source, path: newPath(), release });
    expect(written).toMatchObject({ rows: { of_later: 0 }, leftOut: [] });
    await source.close();
  });

  test.skipIf(name === 'pglite')('a table of another role that cannot be read does not end it', async () => {
    const source = await open();
    const role = `candela_${randomBytes(6).toString('hex')}`;
    const { db } = source;
    await db.connection().execute(async (connection) => {
      await sql`create table of_another (x int)`.execute(connection);
      await sql`create role ${sql.id(role)}`.execute(connection);
      await sql`do ${sql.lit(`begin execute format('grant usage on schema %I to ${role}', current_schema()); end`)}`.execute(
        connection,
      );
      const { rows: tables } = await sql<{ name: string }>`select relname::text as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'of_another'`.execute(
        connection,
      );
      for (const table of tables)
        await sql`grant select on ${sql.table(table.name)} to ${sql.id(role)}`.execute(connection);
      await sql`set role ${sql.id(role)}`.execute(connection);
      const { leftOut } = await writeBackup({
        connection: { db: connection, kind: 'postgres' },
        path: newPath(),
        release,
      });
      expect(leftOut).toEqual(['table of_another']);
      await sql`reset role`.execute(connection);
      await sql`drop owned by ${sql.id(role)}`.execute(connection);
      await sql`drop role ${sql.id(role)}`.execute(connection);
    });
    await source.close();
  });

  test('it holds every table and column of the schema, without who serves it', async () => {
    const connection = await open();
    const { leftOut } = await writeBackup({ connection, path: newPath(), release });
    expect(leftOut).toEqual([]);
    const tables = Object.keys(await contentOf(connection));
    expect(Object.keys(rows).toSorted()).toEqual(tables);
    await connection.close();
  });
});
