import { type Expression, type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { cursorAt, isAfter, type PageChoice } from '../paging/page-cursor.ts';
import { type SessionKey, uidsByBrand } from '../session/session-key.ts';
import { type AuthorizationGrantRow, grantColumns } from './grant.table.ts';

/** A client that was just disabled may have been given one more by a process that had not heard yet. */
const isOfDisabledClient = sql<boolean>`exists (
  select from client where client.id = authorization_grant.client_id and client.disabled
)`;

/** The account's live grants, newest first. */
export const listGrants = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after }: PageChoice,
): Promise<(AuthorizationGrantRow & { cursor_at: string })[]> => {
  const query = db
    .selectFrom('authorization_grant')
    .select(grantColumns)
    .select(cursorAt.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where((where) => where.not(isOfDisabledClient))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit);
  return (after ? query.where(isAfter('id', after)) : query).execute();
};

/** The account's live links: what stays connected without a session. */
export const listLinks = (
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<AuthorizationGrantRow[]> =>
  db
    .selectFrom('authorization_grant')
    .select(grantColumns)
    .where('account_id', '=', accountId)
    .where('has_refresh_token', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .where((where) => where.not(isOfDisabledClient))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Whose a deleted grant was. */
export type GrantOwner = Pick<AuthorizationGrantRow, 'brand' | 'client_id'>;

/** Deletes one grant of the account with its tokens; undefined where the account has no such grant. */
export const deleteGrant = (
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<GrantOwner | undefined> =>
  db
    .deleteFrom('authorization_grant')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['brand', 'client_id'])
    .executeTakeFirst();

/** In one order for all, so that deletions that meet wait for each other: `chosen` says which of `doomed`. */
const deleteInOrder = (db: QueryCreator<Database>, chosen: Expression<SqlBool>, limit?: number) =>
  db.deleteFrom('authorization_grant').where(
    ({ refTuple, selectFrom }) =>
      sql<SqlBool>`${refTuple('brand', 'id')} in ${selectFrom('authorization_grant as doomed')
        .select(['doomed.brand', 'doomed.id'])
        .where(chosen)
        .orderBy('doomed.brand')
        .orderBy('doomed.id')
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .forUpdate()}`,
  );

/** Deletes all grants of an account with their tokens. */
export const deleteGrants = (db: Kysely<Database>, accountId: string): Promise<GrantOwner[]> =>
  deleteInOrder(db, sql`doomed.account_id = ${accountId}`).returning(['brand', 'client_id']).execute();

/** Deletes at most `limit` grants of a client, and answers how many. */
export const deleteGrantsOfClient = async (
  db: Kysely<Database>,
  clientId: string,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await deleteInOrder(
    db,
    sql`doomed.client_id = ${clientId}`,
    limit,
  ).executeTakeFirst();
  return Number(numDeletedRows);
};

/** The statement that deletes the grants that end with their sessions: those without a refresh token. */
export const boundGrantsOfSessions = (
  db: QueryCreator<Database>,
  { brand, uids }: { brand: string | Expression<string>; uids: Expression<string[]> },
) =>
  deleteInOrder(
    db,
    sql`doomed.brand = ${brand} and doomed.session_uid = any(${uids}) and not doomed.has_refresh_token`,
  );

export const deleteBoundGrants = async (
  db: Kysely<Database>,
  sessions: readonly SessionKey[],
): Promise<void> => {
  for (const [brand, uids] of uidsByBrand(sessions))
    await boundGrantsOfSessions(db, { brand, uids: sql`cast(${uids} as text[])` }).execute();
};
