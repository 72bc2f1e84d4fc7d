import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deleteExpired } from '../../ground/db/delete-expired.ts';
import type { SqlTime } from '../../ground/db/sql-time.ts';
import type { TotpRow } from './totp.table.ts';

const columns = [
  'account_id',
  'sealed_secret',
  'session_uid',
  'started_at',
  'active_since',
  'last_step',
] as const satisfies readonly (keyof TotpRow)[];

/** Since when the second factor of an account is on; undefined where it has none. */
export const findActiveSince = async (db: Kysely<Database>, accountId: string): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('totp')
    .select('active_since')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.active_since ?? undefined;
};

/** The app of an account, be it on or being set up. */
export const findTotp = (db: Kysely<Database>, accountId: string): Promise<TotpRow | undefined> =>
  db.selectFrom('totp').select(columns).where('account_id', '=', accountId).executeTakeFirst();

/** Begins to set up an app, in place of one that is being set up; false where one is on. */
export const upsertTotpStart = async (
  db: Kysely<Database>,
  row: Pick<TotpRow, 'account_id' | 'sealed_secret' | 'session_uid' | 'started_at'>,
): Promise<boolean> => {
  const { sealed_secret, session_uid, started_at } = row;
  const started = await db
    .insertInto('totp')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ sealed_secret, session_uid, started_at })
        .where('totp.active_since', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return started !== undefined;
};

/** Switches an app on, whose code of `step` was right. Callers lock the account first. */
export const updateActive = async (
  db: Kysely<Database>,
  accountId: string,
  { at, step }: { at: Date; step: number },
): Promise<void> => {
  await db
    .updateTable('totp')
    .set({ active_since: at, last_step: step, session_uid: null })
    .where('account_id', '=', accountId)
    .execute();
};

/** Uses up the code of a step, of the app that was on since then. False where the step or a later one was used. */
export const updateLastStep = async (
  db: Kysely<Database>,
  { account_id, active_since }: Pick<TotpRow, 'account_id' | 'active_since'>,
  step: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', account_id)
    .where('active_since', '=', active_since)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** False where none was on; one that was being set up goes as well. */
export const deleteTotp = async (db: Kysely<Database>, accountId: string): Promise<boolean> => {
  const gone = await db
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .returning('active_since')
    .executeTakeFirst();
  return gone?.active_since != null;
};

/** Secrets in the order of their accounts, which are greater than `after`. */
export const listSealedTotps = (
  db: Kysely<Database>,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; sealed: string }[]> =>
  db
    .selectFrom('totp')
    .select(['account_id as id', 'sealed_secret as sealed'])
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(limit)
    .execute();

/** Replaces the sealed secret `from` by `to` unless another process has; answers whether it was replaced. */
export const updateSealedTotp = async (
  db: Kysely<Database>,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ sealed_secret: to })
    .where('account_id', '=', id)
    .where('sealed_secret', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes at most `limit` apps whose setting up was given up, and answers how many. */
export const deleteStaleStarts = (
  db: Kysely<Database>,
  { now, keptSeconds, limit }: { now: SqlTime; keptSeconds: number; limit: number },
): Promise<number> => {
  const rows = { table: 'totp', column: 'started_at', now, keptSeconds, limit } as const;
  return deleteExpired(db, rows, sql`active_since is null`);
};
