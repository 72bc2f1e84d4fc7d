import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { lockNames } from '../../ground/db/name-lock.ts';
import type { KeptKeyPurpose, KeptKeyRow, KeptKeyTable } from './kept-key.table.ts';

/** The oldest first. */
export const listKeptKeys = (db: Kysely<Database>, purpose?: KeptKeyPurpose): Promise<KeptKeyRow[]> => {
  const query = db
    .selectFrom('kept_key')
    .select(['purpose', 'fingerprint', 'sealed_key', 'created_at'])
    .orderBy('created_at')
    .orderBy('fingerprint');
  return (purpose ? query.where('purpose', '=', purpose) : query).execute();
};

/** Locks the keeping of keys until the transaction ends. */
export const lockKeptKeys = async (trx: Kysely<Database>): Promise<void> => {
  await lockNames(trx, 'candela', ['kept keys']);
};

/** Inserts unless the key is kept already. */
export const insertKeptKey = async (db: Kysely<Database>, key: Insertable<KeptKeyTable>): Promise<void> => {
  await db
    .insertInto('kept_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Replaces a sealed key unless another process has; answers whether it was replaced. */
export const updateKeptKey = async (
  db: Kysely<Database>,
  { from, to }: { from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('kept_key')
    .set({ sealed_key: to })
    .where('sealed_key', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
