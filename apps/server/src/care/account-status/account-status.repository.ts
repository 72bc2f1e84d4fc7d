import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** What an account holds, counted, and when it last signed in as far as that is still known. */
export interface Holdings {
  sessions: number;
  /** Live grants with a refresh token. */
  links: number;
  /** Live grants without one. */
  otherAuthorizations: number;
  /** The latest of the live sign-ins and of what browsers remember; null where neither is left. */
  lastSignInAt: Date | null;
}

export const findHoldings = async (db: Kysely<Database>, accountId: string): Promise<Holdings> => {
  const { rows } = await sql<Holdings>`
    select
      (select count(*)::int from session where account_id = ${accountId} and expires_at > now()) as "sessions",
      (select count(*)::int from authorization_grant
        where account_id = ${accountId} and expires_at > now() and has_refresh_token) as "links",
      (select count(*)::int from authorization_grant
        where account_id = ${accountId} and expires_at > now() and not has_refresh_token) as "otherAuthorizations",
      greatest(
        (select max(to_timestamp((payload->>'loginTs')::double precision))
          from session where account_id = ${accountId}),
        (select max(last_used_at) from device_account where account_id = ${accountId})
      ) as "lastSignInAt"`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('a select without a table answers one row');
  return found;
};

/** Disables an account, or changes the reason of one that is disabled; its row is locked until the transaction ends. */
export const updateDisabled = async (db: Kysely<Database>, id: string, reason: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({
      status: 'disabled',
      disabled_at: sql`coalesce(disabled_at, now())`,
      disabled_reason: reason,
    })
    .where('id', '=', id)
    .execute();
};

/** Enables an account; false where it was not disabled. */
export const updateEnabled = async (db: Kysely<Database>, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ status: 'active', disabled_at: null, disabled_reason: null })
    .where('id', '=', id)
    .where('status', '=', 'disabled')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
