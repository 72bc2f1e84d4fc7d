import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { SigningKeyRow, SigningKeyTable } from './signing-key.table.ts';

export const listSigningKeys = (db: Kysely<Database>): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_key').selectAll().orderBy('created_at', 'desc').orderBy('kid').execute();

/** Inserts unless another process was first with a key of that algorithm and status. */
export const insertSigningKey = async (
  db: Kysely<Database>,
  key: Insertable<SigningKeyTable>,
): Promise<void> => {
  await db
    .insertInto('signing_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
