import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deleteExpired, oldestExpired } from '../../ground/db/delete-expired.ts';
import { databaseTime, type SqlTime } from '../../ground/db/sql-time.ts';

/** For how long each minute is known, and each hour. */
const MINUTES_KEPT_SECONDS = 48 * 3_600;
const HOURS_KEPT_SECONDS = 90 * 86_400;

/** Adds up what a row has and what is added to it, name by name. */
const addTo = sql`
  on conflict (grain, at, process) do update set counts = (
    select jsonb_object_agg(name, total) from (
      select name, sum(cast(amount as bigint)) as total
      from (
        select name, amount from jsonb_each_text(service_count.counts) as kept(name, amount)
        union all select name, amount from jsonb_each_text(excluded.counts) as added(name, amount)
      ) as both_of_them group by name
    ) as totals)`;

/** Adds what a process counted to its row of this minute. */
export const addServiceCounts = async (
  db: Kysely<Database>,
  process: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> => {
  await sql`
    insert into service_count (grain, at, process, counts)
    values ('minute', date_trunc('minute', ${databaseTime}), ${process}, cast(${JSON.stringify(counts)} as jsonb))
    ${addTo}`.execute(db);
};

/** Adds at most `limit` minutes that are over to their hours, and answers how many: each count is in one place. */
export const moveMinutesToHours = async (
  db: Kysely<Database>,
  now: SqlTime,
  limit: number,
): Promise<number> => {
  const over = {
    table: 'service_count',
    column: 'at',
    keptSeconds: MINUTES_KEPT_SECONDS,
    now,
    limit,
  } as const;
  const { rows } = await sql<{ moved: number }>`
    with gone as (
      delete from service_count where ${oldestExpired(db, over, sql`grain = 'minute'`)} returning at, counts
    ), totals as (
      select date_trunc('hour', at at time zone 'utc') at time zone 'utc' as hour, name,
        sum(cast(amount as bigint)) as total
      from gone, jsonb_each_text(gone.counts) as each_of_them(name, amount) group by 1, name
    ), added as (
      insert into service_count (grain, at, process, counts)
      select 'hour', hour, '', jsonb_object_agg(name, total) from totals group by hour order by hour
      ${addTo}
    )
    select cast(count(*) as integer) as moved from gone`.execute(db);
  return rows[0]?.moved ?? 0;
};

/** Deletes at most `limit` hours that nobody looks at any more. */
export const deleteOldHours = (db: Kysely<Database>, now: SqlTime, limit: number): Promise<number> =>
  deleteExpired(
    db,
    { table: 'service_count', column: 'at', keptSeconds: HOURS_KEPT_SECONDS, now, limit },
    sql`grain = 'hour'`,
  );

/** The count of one name within one step: `step` is the number of steps since 1970. */
export interface StepCount {
  step: number;
  name: string;
  count: number;
}

const stepOf = (column: string, seconds: number) =>
  sql`cast(floor(extract(epoch from ${sql.ref(column)}) / ${sql.lit(seconds)}) as integer)`;

/** What all processes counted from step `first` on, by steps of `seconds`. */
export const sumServiceCounts = async (
  db: Kysely<Database>,
  { first, seconds }: { first: number; seconds: number },
): Promise<StepCount[]> => {
  const { rows } = await sql<StepCount>`
    select ${stepOf('at', seconds)} as step, name, cast(sum(cast(amount as bigint)) as double precision) as count
    from service_count, jsonb_each_text(counts) as each_of_them(name, amount)
    where grain in ('minute', 'hour') and at >= to_timestamp(${first * seconds})
    group by 1, name`.execute(db);
  return rows;
};

/** Counting must stay cheap where links end in masses. */
const MOST_ENDED = 100_000;

/** Links that ended from step `first` on, by the platform of their app: its preset. */
export const sumEndedLinks = async (
  db: Kysely<Database>,
  { first, seconds }: { first: number; seconds: number },
): Promise<StepCount[]> => {
  const { rows } = await sql<StepCount>`
    select ${stepOf('ended.ended_at', seconds)} as step,
      coalesce(client.metadata->>'preset', 'other') as name, cast(count(*) as double precision) as count
    from (
      select client_id, ended_at from ended_link where ended_at >= to_timestamp(${first * seconds})
      order by ended_at desc limit ${sql.lit(MOST_ENDED)}
    ) as ended left join client on client.id = ended.client_id
    group by 1, 2`.execute(db);
  return rows;
};

/** The time of the database, and its release. */
export const findDatabaseFacts = async (db: Kysely<Database>): Promise<{ at: Date; version: string }> => {
  const { rows } = await sql<{ at: Date; version: string }>`
    select ${databaseTime} as at, current_setting('server_version') as version`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('the database did not say which it is');
  return facts;
};
