import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { isCompatible } from './engine.ts';

/** A family has so many rows. Names that share a row wait for each other, and no row is ever deleted. */
const ROWS = 1024;

/** Rows that stand for advisory locks, where the engine has none. */
interface NamedLockTable {
  name: string;
}

declare module './database.ts' {
  interface Database {
    named_lock: NamedLockTable;
  }
}

const rowOf = (family: string, name: string): string =>
  `${family} ${createHash('sha256').update(name).digest().readUInt16BE() % ROWS}`;

/** Makes the table where it is missing, as migration 0027 does: the migrations themselves run under one of its rows. */
export const createRows = (db: Kysely<Database>): Promise<void> =>
  db.schema
    .createTable('named_lock')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();

/** Locks a row of `named_lock`, which it makes where it is missing. */
export const lockRow = async (trx: Kysely<Database>, name: string): Promise<void> => {
  await trx
    .insertInto('named_lock')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name }))
    .execute();
};

/**
 * Waits until no other transaction holds one of these names, and holds them until this one ends. They are taken in one
 * order, so that two transactions which take the same names do not lock each other up.
 */
export const lockNames = async (
  trx: Kysely<Database>,
  family: string,
  names: readonly string[],
): Promise<void> => {
  if (isCompatible(trx)) {
    const rows = new Set(names.map((name) => rowOf(family, name)));
    for (const row of [...rows].toSorted()) await lockRow(trx, row);
    return;
  }
  for (const name of names.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${family} ${name}`}, 0))`.execute(trx);
};
