import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import { type EndedLinkRow, endedLinkColumns } from './signal.table.ts';

/** For how long a person sees that a link ended. */
const SHOWN_DAYS = 90;

/** Links of the account that ended in the last 90 days, the latest first. */
export const listEndedLinks = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after }: PageChoice,
): Promise<(EndedLinkRow & { cursor_at: string })[]> => {
  const query = db
    // The cursor of a page names the time of its order so.
    .with('ended', (ctes) =>
      ctes.selectFrom('ended_link').select(endedLinkColumns).select('ended_at as created_at'),
    )
    .selectFrom('ended')
    .select(endedLinkColumns)
    .select(sql<string>`cast(ended_at as text)`.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('ended_at', '>', sql<Date>`now() - make_interval(days => ${SHOWN_DAYS})`)
    .orderBy('ended_at', 'desc')
    .orderBy('id')
    .limit(limit);
  return (after ? query.where(isAfter('id', after)) : query).execute();
};
