import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';

/** A place in a list ordered by creation, newest first. */
export interface GrantCursor {
  createdAt: string;
  id: string;
}

const CREATED_AT = sql<string>`cast(created_at as text)`;

/** The account's live grants, newest first; `cursor_at` keeps the microseconds that a Date loses. */
export const listGrants = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after }: { limit: number; after?: GrantCursor | undefined },
): Promise<(AuthorizationGrantRow & { cursor_at: string })[]> => {
  const query = db
    .selectFrom('authorization_grant')
    .selectAll()
    .select(CREATED_AT.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit);
  if (!after) return query.execute();
  const at = sql<Date>`cast(${after.createdAt} as timestamptz)`;
  return query
    .where((where) =>
      where.or([
        where('created_at', '<', at),
        where.and([where('created_at', '=', at), where('id', '>', after.id)]),
      ]),
    )
    .execute();
};

/** The account's live links: what stays connected without a session. */
export const listLinks = (
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<AuthorizationGrantRow[]> =>
  db
    .selectFrom('authorization_grant')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('has_refresh_token', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Deletes one grant of the account; its tokens go with it. */
export const deleteGrant = (db: Kysely<Database>, accountId: string, id: string) =>
  db
    .deleteFrom('authorization_grant')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['brand', 'client_id'])
    .executeTakeFirst();

export const deleteGrants = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('authorization_grant').where('account_id', '=', accountId).execute();
};

/** Deletes the grants that end with their sessions: those without a refresh token. */
export const deleteBoundGrants = async (
  db: Kysely<Database>,
  sessions: readonly { brand: string; uid: string }[],
): Promise<void> => {
  for (const { brand, uid } of sessions) {
    await db
      .deleteFrom('authorization_grant')
      .where('brand', '=', brand)
      .where('session_uid', '=', uid)
      .where('has_refresh_token', '=', false)
      .execute();
  }
};
