import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import type { EndedLinkRow, LinkEndReason } from './signal.table.ts';

/** For how long a person sees that a link ended. */
const SHOWN_DAYS = 90;

const columns = [
  'brand',
  'id',
  'account_id',
  'client_id',
  'scope',
  'label',
  'reason',
  'since',
  'ended_at',
] as const satisfies readonly (keyof EndedLinkRow)[];

/** Links of the account that ended in the last 90 days, the latest first. */
export const listEndedLinks = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after }: PageChoice,
): Promise<(EndedLinkRow & { cursor_at: string })[]> => {
  const query = db
    // The cursor of a page names the time of its order so.
    .with('ended', (ctes) => ctes.selectFrom('ended_link').select(columns).select('ended_at as created_at'))
    .selectFrom('ended')
    .select(columns)
    .select(sql<string>`cast(ended_at as text)`.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('ended_at', '>', sql<Date>`now() - make_interval(days => ${SHOWN_DAYS})`)
    .orderBy('ended_at', 'desc')
    .orderBy('id')
    .limit(limit);
  return (after ? query.where(isAfter('id', after)) : query).execute();
};

/** Of a client: how many of its links ended, by reason, the commonest first, and how many of all were made since. */
export const countEndedLinks = async (
  db: Kysely<Database>,
  clientId: string,
  { days, most }: { days: number; most: number },
): Promise<{ reasons: { reason: LinkEndReason; count: number }[]; made: number }> => {
  const since = sql`now() - make_interval(days => ${sql.lit(days)})`;
  const { rows } = await sql<{ reason: LinkEndReason | null; count: number }>`
    select reason, cast(count(*) as integer) as count from (
      select reason from ended_link where client_id = ${clientId} and ended_at > ${since} limit ${sql.lit(most)}
    ) as ended group by reason
    union all
    select null, cast(count(*) as integer) from (
      select 1 from ended_link where client_id = ${clientId} and since > ${since} limit ${sql.lit(most)}
    ) as made
    order by count desc, reason`.execute(db);
  return {
    reasons: rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
    made: rows.find(({ reason }) => reason === null)?.count ?? 0,
  };
};
