import { type Expression, type Kysely, type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { oldestExpired } from '../../ground/db/delete-expired.ts';
import { firstInOrder } from '../../ground/db/first-in-order.ts';
import type { SqlTime } from '../../ground/db/sql-time.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import type { SessionsOfBrand } from '../../person/session/session-key.ts';
import { type EndedGrant, endedColumns } from './ended-grant.ts';
import { type AuthorizationGrantRow, grantColumns } from './grant.table.ts';

/** A process that did not know of the disabling yet may have made one more grant for the client. */
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

/** Counting all links of a large client takes longer than a page may. */
export const MOST_LINKS = 10_000;

/** How many live links a client has, approvals with a refresh token; 10,000 where it has more. */
export const countLinksOfClient = async (db: Kysely<Database>, clientId: string): Promise<number> => {
  const links = db
    .selectFrom('authorization_grant')
    .select('id')
    .where('client_id', '=', clientId)
    .where('has_refresh_token', '=', true)
    .where('expires_at', '>', sql<Date>`now()`)
    .limit(MOST_LINKS)
    .as('links');
  const { count } = await db
    .selectFrom(links)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Of the live links of a client, how many were made of late, and how many were not used for long; 10,000 for more. */
export const countLiveLinks = async (
  db: Kysely<Database>,
  clientId: string,
  { madeDays, quietDays }: { madeDays: number; quietDays: number },
): Promise<{ made: number; quiet: number }> => {
  const count = (condition: RawBuilder<unknown>) => sql`(
    select cast(count(*) as integer) from (
      select 1 from authorization_grant
      where client_id = ${clientId} and has_refresh_token and expires_at > now() and ${condition}
      limit ${sql.lit(MOST_LINKS)}
    ) as counted)`;
  const ago = (days: number) => sql`now() - make_interval(days => ${sql.lit(days)})`;
  const { rows } = await sql<{ made: number; quiet: number }>`select
    ${count(sql`created_at > ${ago(madeDays)}`)} as made,
    ${count(sql`last_accessed_at < ${ago(quietDays)}`)} as quiet`.execute(db);
  return rows[0] ?? { made: 0, quiet: 0 };
};

/** Deletes one grant of the account with its tokens; undefined where the account has no such grant. */
export const deleteGrant = (
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<EndedGrant | undefined> =>
  db
    .deleteFrom('authorization_grant')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(endedColumns)
    .executeTakeFirst();

const deleteInOrder = (db: QueryCreator<Database>, where: RawBuilder<SqlBool>, limit?: number) =>
  db.deleteFrom('authorization_grant').where(
    firstInOrder({
      table: 'authorization_grant',
      key: ['brand', 'id'],
      where,
      ...(limit !== undefined && { limit }),
    }),
  );

/** Deletes all grants of an account with their tokens. */
export const deleteGrants = (db: Kysely<Database>, accountId: string): Promise<EndedGrant[]> =>
  deleteInOrder(db, sql`account_id = ${accountId}`).returning(endedColumns).execute();

/** Deletes the grants of an account that have no refresh token, with their tokens. */
export const deleteBoundGrants = (db: Kysely<Database>, accountId: string): Promise<EndedGrant[]> =>
  deleteInOrder(db, sql`account_id = ${accountId} and not has_refresh_token`)
    .returning(endedColumns)
    .execute();

/** Deletes at most `limit` grants of a client. */
export const deleteGrantsOfClient = (
  db: Kysely<Database>,
  clientId: string,
  limit: number,
): Promise<EndedGrant[]> =>
  deleteInOrder(db, sql`client_id = ${clientId}`, limit).returning(endedColumns).execute();

/** Deletes at most `limit` grants that have expired, the oldest first. */
export const deleteExpiredGrants = (
  db: Kysely<Database>,
  { now, limit }: { now: SqlTime; limit: number },
): Promise<EndedGrant[]> =>
  db
    .deleteFrom('authorization_grant')
    .where(oldestExpired(db, { table: 'authorization_grant', now, limit }))
    .returning(endedColumns)
    .execute();

/** The statement that deletes the grants which end with their sessions: those without a refresh token. */
export const deletionOfBoundGrants = (db: QueryCreator<Database>, { brand, uids }: SessionsOfBrand) =>
  deleteInOrder(db, sql`brand = ${brand} and session_uid = any(${uids}) and not has_refresh_token`);

/** The statement that deletes one grant with its tokens, whoever the account is. */
export const deletionOfGrant = (
  db: QueryCreator<Database>,
  { brand, id }: { brand: string | Expression<string>; id: string | Expression<string> },
) => db.deleteFrom('authorization_grant').where('brand', '=', brand).where('id', '=', id);
