import { type InsertObject, type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { lockNames } from '../../ground/db/name-lock.ts';
import { type SigningKeyRow, signingKeyColumns } from './signing-key.table.ts';

export const listSigningKeys = (db: Kysely<Database>): Promise<SigningKeyRow[]> =>
  db
    .selectFrom('signing_key')
    .select(signingKeyColumns)
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();

/** Inserts unless another process was first with a key of the algorithm and status. A current key signs from now on. */
export const insertSigningKey = async (
  db: Kysely<Database>,
  key: Omit<InsertObject<Database, 'signing_key'>, 'activated_at'>,
): Promise<void> => {
  await db
    .insertInto('signing_key')
    .values({ ...key, activated_at: key.status === 'current' ? sql<Date>`now()` : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Replaces what was read, unless another process did; answers whether it did. */
export const updateSealedJwk = async (
  db: Kysely<Database>,
  { from, to }: { from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('signing_key')
    .set({ sealed_jwk: to })
    .where('sealed_jwk', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Waits for whoever else rotates, until the end of the transaction. */
export const lockSigningKeys = async (trx: Kysely<Database>): Promise<void> => {
  await lockNames(trx, 'candela', ['signing keys']);
};

export const retireCurrentKeys = async (trx: Kysely<Database>, now: Date): Promise<void> => {
  await trx
    .updateTable('signing_key')
    .set({ status: 'previous', retired_at: now })
    .where('status', '=', 'current')
    .execute();
};

export const activateNextKeys = async (trx: Kysely<Database>, now: Date): Promise<void> => {
  await trx
    .updateTable('signing_key')
    .set({ status: 'current', activated_at: now })
    .where('status', '=', 'next')
    .execute();
};

export const deleteKeysRetiredBefore = async (trx: Kysely<Database>, time: Date): Promise<void> => {
  await trx
    .deleteFrom('signing_key')
    .where('status', '=', 'previous')
    .where('retired_at', '<', time)
    .execute();
};

/** Deletes a key unless it signs; answers whether one went. */
export const deleteIdleKey = async (db: Kysely<Database>, kid: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('signing_key')
    .where('kid', '=', kid)
    .where('status', '<>', 'current')
    .executeTakeFirst();
  return numDeletedRows > 0n;
};
