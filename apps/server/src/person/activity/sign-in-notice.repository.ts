import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import { type ActivityRow, activityColumns } from './activity.table.ts';
import type { SignInNoticeRow } from './sign-in-notice.table.ts';

const columns = [
  'activity_id',
  'account_id',
  'brand',
  'session_uid',
  'device_hash',
  'sent',
  'sent_to',
  'token_hash',
  'decided_at',
  'expires_at',
] as const satisfies readonly (keyof SignInNoticeRow)[];

/** Notices. They come with their sign-in; a link is used up by a change of `token_hash` to null. */
export const signInNoticeRows = expiringRows({
  table: 'sign_in_notice',
  columns,
  owner: 'account_id',
  endsAt: 'expires_at',
});

/** Notices that were promised and are neither sent nor left out, the oldest first, without those of `except`. */
export const listDueNotices = (
  db: Kysely<Database>,
  limit: number,
  except: readonly string[],
): Promise<Pick<SignInNoticeRow, 'activity_id' | 'account_id'>[]> =>
  db
    .selectFrom('sign_in_notice')
    .select(['activity_id', 'account_id'])
    .where('decided_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`activity_id <> all(cast(${except} as text[]))`)
    .orderBy('expires_at')
    .limit(limit)
    .execute();

/** Takes a notice to decide about it; undefined where another process has. */
export const takeNotice = (db: Kysely<Database>, activityId: string): Promise<SignInNoticeRow | undefined> =>
  db
    .updateTable('sign_in_notice')
    .set({ decided_at: sql`now()` })
    .where('activity_id', '=', activityId)
    .where('decided_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();

/** Whether a notice of this browser, or of as many others of the account, was sent of late. */
export const countSentNotices = async (
  db: Kysely<Database>,
  { account_id, device_hash }: Pick<SignInNoticeRow, 'account_id' | 'device_hash'>,
  { browserSeconds, accountSeconds }: { browserSeconds: number; accountSeconds: number },
): Promise<{ ofBrowser: number; ofAccount: number }> => {
  const since = (seconds: number) => sql`now() - make_interval(secs => ${sql.lit(seconds)})`;
  const { rows } = await sql<{ ofBrowser: number; ofAccount: number }>`
    select
      (count(*) filter (where device_hash = ${device_hash} and decided_at > ${since(browserSeconds)}))::int
        as "ofBrowser",
      (count(*) filter (where decided_at > ${since(accountSeconds)}))::int as "ofAccount"
    from sign_in_notice where account_id = ${account_id} and sent`.execute(db);
  return rows[0] ?? { ofBrowser: 0, ofAccount: 0 };
};

/** Notes the link of a notice that is sent. */
export const updateNoticeLink = async (
  db: Kysely<Database>,
  activityId: string,
  { tokenHash, to }: { tokenHash: string; to: string },
): Promise<void> => {
  await db
    .updateTable('sign_in_notice')
    .set({ token_hash: tokenHash, sent: true, sent_to: to })
    .where('activity_id', '=', activityId)
    .execute();
};

/** The notice of a link with its sign-in; undefined once the link is used or over. */
export const findNoticeOfLink = (
  db: Kysely<Database>,
  tokenHash: string,
): Promise<(ActivityRow & { link_ends_at: Date; sent_to: string | null }) | undefined> =>
  db
    .selectFrom('sign_in_notice')
    .where('token_hash', '=', tokenHash)
    .where('sign_in_notice.expires_at', '>', sql<Date>`now()`)
    .innerJoin('activity', 'activity.id', 'sign_in_notice.activity_id')
    .select(activityColumns.map((column) => `activity.${column}` as const))
    .select(['sign_in_notice.expires_at as link_ends_at', 'sign_in_notice.sent_to'])
    .executeTakeFirst();
