import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

export const deleteRecoveryCodes = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
};

export const insertRecoveryCodes = async (
  db: Kysely<Database>,
  accountId: string,
  hashes: readonly string[],
): Promise<void> => {
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
};

/** Uses a code up; false where there is no such code, or it was used. */
export const updateUsed = async (
  db: Kysely<Database>,
  { accountId, hash, at }: { accountId: string; hash: string; at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: at })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** How many codes are left. */
export const countRecoveryCodes = async (db: Kysely<Database>, accountId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};
