import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { DeveloperRow } from './developer.table.ts';

/** False where the account is allowed already. */
export const insertDeveloper = async (db: Kysely<Database>, accountId: string): Promise<boolean> => {
  const inserted = await db
    .insertInto('developer')
    .values({ account_id: accountId })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/** False where the account is not allowed. */
export const deleteDeveloper = async (db: Kysely<Database>, accountId: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('developer')
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst();
  return deleted !== undefined;
};

/** The allowed accounts, the newest first; at most `limit` of them. */
export const listDevelopers = (db: Kysely<Database>, limit: number): Promise<DeveloperRow[]> =>
  db
    .selectFrom('developer')
    .select(['account_id', 'allowed_at'])
    .orderBy('allowed_at', 'desc')
    .orderBy('account_id')
    .limit(limit)
    .execute();

export const findDeveloper = (db: Kysely<Database>, accountId: string): Promise<DeveloperRow | undefined> =>
  db
    .selectFrom('developer')
    .select(['account_id', 'allowed_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
