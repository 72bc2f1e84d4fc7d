import type { ActivityDetail, ActivityKind } from '@candela/contract';
import { ACTIVITY_DAYS } from '@candela/contract/rules/activity-kinds';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import { type ActivityRow, activityColumns } from './activity.table.ts';
import { createActivityId } from './activity-id.ts';

/** Something that happened to an account. */
export interface NewActivity {
  accountId: string;
  kind: ActivityKind;
  /** Left out where a session says it. */
  brand?: string | undefined;
  /** The session in which it happened. Its browser is noted, unless `facts` say more. */
  session?: { brand: string; uid: string } | undefined;
  clientId?: string | undefined;
  /** The digest of the pre-session cookie, where the browser came to be trusted by it. */
  deviceHash?: string | undefined;
  /** The browser of the request. */
  facts?: Pick<RequestFacts, 'userAgent' | 'clientHints' | 'timeZone'> | undefined;
  /** What its sentence names. Contacts are masked before. */
  detail?: ActivityDetail | undefined;
  /** Names what is noted once, however often it happens. */
  fold?: string | undefined;
}

/**
 * Notes what happened, in the transaction that does it. Call it before the session ends in which it happened: its
 * browser is read from the session.
 */
export const insertActivity = async (
  trx: Kysely<Database>,
  {
    accountId,
    kind,
    session,
    brand = session?.brand,
    clientId,
    deviceHash,
    facts,
    detail,
    fold,
  }: NewActivity,
): Promise<void> => {
  const ofSession = (column: 'user_agent' | 'client_hints') =>
    sql`(select ${sql.ref(column)} from session
      where brand = ${session?.brand ?? null}::text and uid = ${session?.uid ?? null}::text)`;
  await sql`
    insert into activity (
      id, account_id, kind, brand, session_uid, client_id, device_hash, user_agent, client_hints, time_zone,
      detail, fold)
    values (
      ${createActivityId()}, ${accountId}, ${kind}, ${brand ?? null}, ${session?.uid ?? null}, ${clientId ?? null},
      ${deviceHash ?? null},
      ${facts ? facts.userAgent : sql`coalesce(${ofSession('user_agent')}, '')`},
      ${facts ? sql`${facts.clientHints}::jsonb` : ofSession('client_hints')},
      ${facts?.timeZone ?? null},
      ${detail ? JSON.stringify(detail) : null}::jsonb, ${fold ?? null})
    on conflict (account_id, fold) where fold is not null do nothing`.execute(trx);
};

/** A row with how often it happened, and when its person said that it was somebody else. */
export interface ListedActivity extends ActivityRow {
  count: number | null;
  disputed_at: Date | null;
}

const selectActivity = (db: Kysely<Database>, accountId: string) =>
  db
    .selectFrom('activity')
    .leftJoin('activity_count', 'activity_count.activity_id', 'activity.id')
    .leftJoin('activity_dispute', 'activity_dispute.activity_id', 'activity.id')
    .select(activityColumns.map((column) => `activity.${column}` as const))
    .select(['activity_count.count', 'activity_dispute.disputed_at'])
    .where('activity.account_id', '=', accountId)
    .where('activity.created_at', '>', sql<Date>`now() - make_interval(days => ${sql.lit(ACTIVITY_DAYS)})`);

/** What happened to the account, newest first: all, or what is of these kinds. */
export const listActivity = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after, kinds }: PageChoice & { kinds?: readonly ActivityKind[] | undefined },
): Promise<(ListedActivity & { cursor_at: string })[]> => {
  let query = selectActivity(db, accountId)
    .select(cursorAt.as('cursor_at'))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit);
  if (kinds) query = query.where('activity.kind', 'in', kinds);
  return (after ? query.where(isAfter('id', after)) : query).execute();
};

/** The time zones that the browsers told at the latest sign-ins to these sessions, by `uid`. */
export const findTimeZones = async (
  db: Kysely<Database>,
  { accountId, uids, since }: { accountId: string; uids: readonly string[]; since: Date },
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('activity')
    .distinctOn('session_uid')
    .select(['session_uid', 'time_zone'])
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .where(sql<SqlBool>`session_uid = any(cast(${uids} as text[]))`)
    .where('kind', 'in', ['sign_in', 'new_browser'])
    .where('time_zone', 'is not', null)
    .$narrowType<{ session_uid: string; time_zone: string }>()
    .orderBy('session_uid')
    .orderBy('created_at', 'desc')
    .execute();
  return new Map(rows.map(({ session_uid, time_zone }) => [session_uid, time_zone]));
};

/** What happened in a session of the account, newest first. */
export const listActivityOfSession = (
  db: Kysely<Database>,
  accountId: string,
  { brand, uid, limit }: { brand: string; uid: string; limit: number },
): Promise<ListedActivity[]> =>
  selectActivity(db, accountId)
    .where('activity.brand', '=', brand)
    .where('activity.session_uid', '=', uid)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** The digests of the browsers in which it happened: its own, and those that signed in to its session. */
export const listBrowsersOf = async (
  db: Kysely<Database>,
  { id, account_id, brand, session_uid }: ActivityRow,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('activity')
    .select('device_hash')
    .distinct()
    .where('account_id', '=', account_id)
    .where('device_hash', 'is not', null)
    .$narrowType<{ device_hash: string }>()
    .where((where) =>
      where.or([
        where('id', '=', id),
        where.and([where('brand', '=', brand), where('session_uid', '=', session_uid)]),
      ]),
    )
    .execute();
  return rows.map(({ device_hash }) => device_hash);
};

export const findActivity = (
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<ListedActivity | undefined> =>
  selectActivity(db, accountId).where('activity.id', '=', id).executeTakeFirst();

/** Notes that the person says that it was somebody else; false where the person has said so before. */
export const insertDispute = async (trx: Kysely<Database>, id: string): Promise<boolean> => {
  const inserted = await trx
    .insertInto('activity_dispute')
    .values({ activity_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('activity_id')
    .executeTakeFirst();
  return inserted !== undefined;
};
