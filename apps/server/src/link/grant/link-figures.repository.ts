import type { LinkEndReason, LinkFigures } from '@candela/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { QUIET_DAYS } from './quiet-days.ts';

/** Counting all links of a large client takes longer than a page may. */
const MOST = 10_000;
const DAYS = sql.lit(30);

interface Figure {
  figure: 'made' | 'quiet' | LinkEndReason;
  count: number;
}

const countOf = (figure: string, rows: RawBuilder<unknown>) =>
  sql`select ${sql.lit(figure)} as figure, cast(count(*) as integer) as count
    from (${rows} limit ${sql.lit(MOST)}) as counted`;

/** How the links of a client fare, in one statement: made and ended in the last 30 days, and quiet now. */
export const countLinks = async (db: Kysely<Database>, clientId: string): Promise<LinkFigures> => {
  const live = sql`from authorization_grant
    where client_id = ${clientId} and has_refresh_token and expires_at > now()`;
  const lately = (column: 'created_at' | 'since' | 'ended_at') =>
    sql`${sql.ref(column)} > now() - make_interval(days => ${DAYS})`;
  const ended = sql`from ended_link where client_id = ${clientId}`;
  const { rows } = await sql<Figure>`
    ${countOf('made', sql`select 1 ${live} and ${lately('created_at')}`)}
    union all ${countOf('made', sql`select 1 ${ended} and ${lately('since')}`)}
    union all ${countOf(
      'quiet',
      sql`select 1 ${live} and last_accessed_at < now() - make_interval(days => ${sql.lit(QUIET_DAYS)})`,
    )}
    union all (
      select reason, cast(count(*) as integer)
      from (select reason ${ended} and ${lately('ended_at')} limit ${sql.lit(MOST)}) as counted
      group by reason order by count(*) desc, reason
    )`.execute(db);
  const sumOf = (wanted: Figure['figure']) =>
    rows.reduce((sum, { figure, count }) => (figure === wanted ? sum + count : sum), 0);
  const reasons = rows.filter(({ figure }) => figure !== 'made' && figure !== 'quiet');
  return {
    made: sumOf('made'),
    quiet: sumOf('quiet'),
    ended: Object.fromEntries(reasons.map(({ figure, count }) => [figure, count])),
  };
};
