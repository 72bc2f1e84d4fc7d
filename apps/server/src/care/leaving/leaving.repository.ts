import { GRACE_DAYS } from '@candela/contract/rules/leaving';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';

/** Lets the grace of an account begin; answers when it ends. The caller holds the account. */
export const updateLeaving = async (trx: Kysely<Database>, id: string): Promise<Date> => {
  const { leaving_at: endsAt } = await trx
    .updateTable('account')
    .set({ leaving_at: sql<Date>`now() + make_interval(days => ${sql.lit(GRACE_DAYS)})` })
    .where('id', '=', id)
    .returning('leaving_at')
    .executeTakeFirstOrThrow();
  if (!endsAt) throw new Error('the time was set just now');
  return endsAt;
};

/** Ends the grace of an account, which stays. The caller holds the account. */
export const updateKept = async (trx: Kysely<Database>, id: string): Promise<void> => {
  await trx.updateTable('account').set({ leaving_at: null }).where('id', '=', id).execute();
};

/** Accounts whose grace is over, those that wait longest first. */
export const listDueAccounts = async (db: Kysely<Database>, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('leaving_at', '<=', databaseTime)
    .orderBy('leaving_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

/** Whether the grace is over, for a caller that holds the account. */
export const isDue = async (trx: Kysely<Database>, id: string): Promise<boolean> => {
  const due = await trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('leaving_at', '<=', databaseTime)
    .executeTakeFirst();
  return due !== undefined;
};

/**
 * Puts a pseudonym in the place of an account in the history of clients: who made which changes stays apart from who
 * made others, and nobody is named.
 */
export const updateHistoryNames = async (
  trx: Kysely<Database>,
  id: string,
  pseudonym: string,
): Promise<void> => {
  await trx
    .updateTable('client_change')
    .set({ actor_id: pseudonym })
    .where('actor_kind', '=', 'account')
    .where('actor_id', '=', id)
    .execute();
  await sql`update client_change set changes = ${JSON.stringify([{ field: 'members', note: pseudonym }])}::jsonb
    where action in ('member_added', 'member_removed')
      and changes @> ${JSON.stringify([{ field: 'members', note: id }])}::jsonb`.execute(trx);
};

/** Deletes the row of an account; the database deletes with it every row that refers to it. */
export const deleteAccountRow = async (trx: Kysely<Database>, id: string): Promise<void> => {
  await trx.deleteFrom('account').where('id', '=', id).execute();
};
