import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openPglite } from './databases.ts';

const isThere = async (table: string) => {
  const connection = await openPglite();
  const { rows } = await sql<{ found: string | null }>`select to_regclass(${table}) as found`.execute(
    connection.db,
  );
  await connection.close();
  return rows[0]?.found !== null;
};

test('a database that is given back comes empty, with its first rows and its schema', async () => {
  const first = await openPglite();
  const { db } = first;
  const migrated = await sql`select name from kysely_migration`.execute(db);
  await db
    .insertInto('rate_limit')
    .values({ key: 'a', hits: 1, expires_at: new Date(0) })
    .execute();
  await sql`set lock_timeout = 1234`.execute(db);
  await first.close();
  await first.close();

  const [second, other] = await Promise.all([openPglite(), openPglite()]);
  expect(second.db).toBe(db);
  expect(other.db).not.toBe(db);
  expect(await db.selectFrom('rate_limit').selectAll().execute()).toEqual([]);
  expect((await sql`select name from kysely_migration`.execute(db)).rows).toEqual(migrated.rows);
  expect((await sql`show lock_timeout`.execute(db)).rows).toEqual([{ lock_timeout: '0' }]);

  await sql`create table stray (id int)`.execute(db);
  await sql`delete from kysely_migration where name = '0002-protocol'`.execute(other.db);
  await Promise.all([second.close(), other.close()]);
  expect(await isThere('stray')).toBe(false);
  const third = await openPglite();
  expect((await sql`select name from kysely_migration`.execute(third.db)).rows).toEqual(migrated.rows);
  await third.close();
});
