import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

export const findSealedSalt = async (db: Kysely<Database>): Promise<string | undefined> =>
  (await db.selectFrom('pairwise_salt').select('sealed_salt').executeTakeFirst())?.sealed_salt;

/** Inserts unless another process was first. */
export const insertSealedSalt = async (db: Kysely<Database>, sealed: string): Promise<void> => {
  await db
    .insertInto('pairwise_salt')
    .values({ sealed_salt: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Replaces what was read, unless another process did; answers whether it did. */
export const updateSealedSalt = async (
  db: Kysely<Database>,
  { from, to }: { from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('pairwise_salt')
    .set({ sealed_salt: to })
    .where('sealed_salt', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
