import type { ClientErrorKind } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import type { Holder } from '../client/holder.ts';
import { type ClientErrorRow, clientErrorColumns } from './client-error.table.ts';
import type { CountedKind } from './counted-kind.ts';

export interface ErrorChoice extends PageChoice {
  reference?: string | undefined;
  kind?: ClientErrorKind | undefined;
}

/** Refused requests of a client, the newest first. */
export const listErrors = (
  db: Kysely<Database>,
  clientId: string,
  { limit, after, reference, kind }: ErrorChoice,
): Promise<(ClientErrorRow & { cursor_at: string })[]> => {
  let query = db
    .selectFrom('client_error')
    .select(clientErrorColumns)
    .select(cursorAt.as('cursor_at'))
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .orderBy('reference')
    .limit(limit);
  if (reference !== undefined) query = query.where('reference', '=', reference);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return (after ? query.where(isAfter('reference', after)) : query).execute();
};

/** The refused request of a reference among all clients of a holder: one look-up by key for each of them. */
export const findErrorOf = (
  db: Kysely<Database>,
  holder: Holder,
  reference: string,
): Promise<ClientErrorRow | undefined> =>
  db
    .selectFrom('client_error')
    .select(clientErrorColumns)
    .where('reference', '=', reference)
    .where('client_id', 'in', ({ selectFrom }) =>
      'accountId' in holder
        ? selectFrom('client_member').select('client_id').where('account_id', '=', holder.accountId)
        : selectFrom('client').select('id as client_id').where('made_by', '=', holder.machineId),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** How many refused requests are kept of each kind, the commonest first. */
export const countErrors = async (
  db: Kysely<Database>,
  clientId: string,
): Promise<{ kind: ClientErrorKind; count: number; last_at: Date }[]> => {
  const { rows } = await sql<{ kind: ClientErrorKind; count: number; last_at: Date }>`
    select kind, cast(count(*) as integer) as count, max(created_at) as last_at
    from client_error where client_id = ${clientId}
    group by kind order by count(*) desc, kind`.execute(db);
  return rows;
};

export interface AlertColumns {
  client_id: string;
  last_token_at: Date | null;
  last_error_at: Date | null;
  errors_today: number;
  secret_ends_at: Date | null;
}

const REFUSED = sql`kind like 'error:%'`;
/** Not of an app's faults: people decline, and silent requests find nobody signed in. */
const USUAL = sql`kind in ('error:access_denied', 'error:interaction_required')`;

/** The newest time of some kinds, which stands in the last day that has any; `most` bounds the kinds of a day. */
const lastOf = (kinds: ReturnType<typeof sql>, most: number) => sql`
  (select max(last_at) from (
    select last_at from client_day where client_id = asked.id and ${kinds}
    order by day desc limit ${sql.lit(most)}
  ) as latest)`;

/** What is wrong with each of the clients, in one statement. */
export const findAlerts = async (db: Kysely<Database>, ids: readonly string[]): Promise<AlertColumns[]> => {
  const { rows } = await sql<AlertColumns>`
    select asked.id as client_id,
      ${lastOf(sql`kind in ('token', 'refresh')`, 2)} as last_token_at,
      ${lastOf(REFUSED, 50)} as last_error_at,
      (select cast(coalesce(sum(count), 0) as integer) from client_day
        where client_id = asked.id and day = cast(now() at time zone 'utc' as date) and ${REFUSED}
          and not ${USUAL}) as errors_today,
      -- The first end to come; where no secret works any more, the end of the last one.
      (select case when bool_or(expires_at is null or expires_at > now())
          then min(expires_at) filter (where expires_at > now()) else max(expires_at) end
        from client_secret where client_id = asked.id) as secret_ends_at
    from unnest(cast(${[...ids]} as text[])) as asked(id)`.execute(db);
  return rows;
};

/** Of a day without any count, `kind` and `count` are null. */
export interface DayColumns {
  /** `2026-11-22`. */
  day: string;
  kind: CountedKind | null;
  /** The kind of refused requests, where these were counted. */
  refused: ClientErrorKind | null;
  count: number | null;
}

/** The counts of a client in the last `days` days by UTC, the oldest first. */
export const listDays = async (
  db: Kysely<Database>,
  clientId: string,
  days: number,
): Promise<DayColumns[]> => {
  const { rows } = await sql<DayColumns>`
    with today as (select cast(now() at time zone 'utc' as date) as day)
    select to_char(past.day, 'YYYY-MM-DD') as day, kind, nullif(split_part(kind, ':', 2), '') as refused, count
    from (
      select today.day - ago as day from today, generate_series(0, ${sql.lit(days - 1)}) as ago
    ) as past
    left join client_day on client_id = ${clientId} and client_day.day = past.day
    order by past.day`.execute(db);
  return rows;
};

/** The refused request of a reference, of whichever client. */
export const findErrorOfReference = (
  db: Kysely<Database>,
  reference: string,
): Promise<ClientErrorRow | undefined> =>
  db
    .selectFrom('client_error')
    .select(clientErrorColumns)
    .where('reference', '=', reference)
    .limit(1)
    .executeTakeFirst();
