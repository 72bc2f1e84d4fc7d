import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { isCompatible } from './engine.ts';
import { listMigrationTimes } from './migrate.ts';

interface Place {
  database: string;
  schema: string | null;
}

const readPlace = async (db: Kysely<Database>): Promise<Place | undefined> => {
  const { rows } = await sql<Place>`
    select current_database()::text as database, current_schema()::text as schema`.execute(db);
  return rows[0];
};

const tryLock = async (db: Kysely<Database>, key: readonly [number, number]): Promise<boolean> => {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(key[0])}, ${sql.lit(key[1])}) as got`.execute(db);
  return rows[0]?.got === true;
};

/** The greatest that an `int4` holds, and one more. */
const KEYS = 2 ** 31;

/** Whether the other one sees a lock that this one holds: no copy of a database does, whatever it has in common. */
const seesLock = (one: Kysely<Database>, other: Kysely<Database>): Promise<boolean> => {
  const key = [randomInt(KEYS), randomInt(KEYS)] as const;
  // A pooler in transaction mode keeps to one connection for the time of a transaction.
  return one.transaction().execute(async (trx) => {
    await tryLock(trx, key);
    return !(await tryLock(other, key));
  });
};

/** Where there are no such locks: migrations are applied at other milliseconds in each database. */
const hasSameHistory = async (one: Kysely<Database>, other: Kysely<Database>): Promise<boolean> => {
  const [own, others] = [await listMigrationTimes(one), await listMigrationTimes(other)];
  return JSON.stringify(own) === JSON.stringify(others);
};

/** Whether two connections lead to one schema of one database on one server. Nothing is written. */
export const isSameDatabase = async (one: Kysely<Database>, other: Kysely<Database>): Promise<boolean> => {
  const [own, others] = [await readPlace(one), await readPlace(other)];
  if (own?.database !== others?.database || own?.schema !== others?.schema) return false;
  return isCompatible(one) ? hasSameHistory(one, other) : seesLock(one, other);
};
