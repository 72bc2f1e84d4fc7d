import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type RateLimitRow, rateLimitColumns } from './rate-limit.table.ts';

interface Hit {
  key: string;
  /** A hit is refused where so many were counted before. */
  limit: number;
  windowSeconds: number;
}

/** A counter that a statement looked at or hit. */
export interface RateLimitFound extends RateLimitRow {
  /** The index of the limit among `hits`; undefined for one of `looks`. */
  place: number | undefined;
}

/** The first hit after the end of a window opens the next. */
const hit = ({ key, limit, windowSeconds }: Hit, now: Date, condition: RawBuilder<unknown>) => sql`
  insert into rate_limit (key, hits, expires_at)
  select cast(${key} as text), 1, cast(${new Date(now.getTime() + windowSeconds * 1000)} as timestamptz) where ${condition}
  on conflict (key) do update set
    hits = case when rate_limit.expires_at <= ${now} then 1
      else least(rate_limit.hits + 1, cast(${limit + 1} as int)) end,
    expires_at = case when rate_limit.expires_at <= ${now} then excluded.expires_at
      else rate_limit.expires_at end
  returning key, hits, expires_at`;

const spentOf = (looks: readonly Omit<Hit, 'windowSeconds'>[], now: Date) => {
  const spent = looks.map(({ key, limit }) => sql`(key = ${key} and hits >= cast(${limit} as int))`);
  return sql`
    select key, hits, expires_at from rate_limit
    where expires_at > ${now} and (${spent.length > 0 ? sql.join(spent, sql` or `) : sql`false`})`;
};

/**
 * Looks at the limits of `looks`. Where none of them is spent, counts a hit of each limit of `hits` in turn, up to
 * the first that refuses it. All of it is one statement. Answers the spent counters of `looks`, then the counters
 * that were hit, in their order.
 */
export const upsertHits = async (
  db: Kysely<Database>,
  hits: readonly Hit[],
  looks: readonly Hit[],
  now: Date,
): Promise<RateLimitFound[]> => {
  const nth = (index: number) => sql.table(`hit${index}`);
  const passed = (index: number): RawBuilder<unknown> =>
    index < 0
      ? sql`not exists (select from looked)`
      : sql`exists (select from ${nth(index)} where hits <= cast(${hits[index]?.limit} as int))`;
  const counted = hits.map((one, index) => sql`${nth(index)} as (${hit(one, now, passed(index - 1))})`);
  const rows = hits.map(
    (_, index) => sql`select ${sql.lit(index)} as n, key, hits, expires_at from ${nth(index)}`,
  );
  const parts = [sql`looked as (${spentOf(looks, now)})`, ...counted];
  const found = [sql`select -1 as n, key, hits, expires_at from looked`, ...rows];
  const result = await sql<RateLimitRow & { n: number }>`
    with ${sql.join(parts)} ${sql.join(found, sql` union all `)} order by n`.execute(db);
  return result.rows.map(({ n, ...row }) => ({ ...row, place: n < 0 ? undefined : n }));
};

/** The counters of these keys whose windows are open now. */
export const listRateLimits = async (
  db: Kysely<Database>,
  keys: readonly string[],
  now: Date,
): Promise<RateLimitRow[]> =>
  db
    .selectFrom('rate_limit')
    .select(rateLimitColumns)
    .where('key', 'in', keys)
    .where('expires_at', '>', now)
    .execute();

export const updateHitsBack = async (db: Kysely<Database>, keys: readonly string[]): Promise<void> => {
  await sql`
    with locked as (
      select key from rate_limit where key in (${sql.join(keys)}) order by key collate "C" for update
    )
    update rate_limit set hits = hits - 1 where key in (select key from locked) and hits > 0`.execute(db);
};

const deleteWhere = async (db: Kysely<Database>, condition: RawBuilder<unknown>): Promise<void> => {
  // Rows are locked in the order of their keys, in which `upsertHits` counts them too.
  await sql`
    with locked as (
      select key from rate_limit where ${condition} order by key collate "C" for update
    )
    delete from rate_limit where key in (select key from locked)`.execute(db);
};

export const deleteRateLimits = (db: Kysely<Database>, keys: readonly string[]): Promise<void> =>
  deleteWhere(db, sql`key in (${sql.join(keys)})`);

/**
 * Whether the key is one of these, or begins with one of them and a space. A range of an index: in the order of bytes an
 * exclamation mark follows the space.
 */
const isUnder = (prefixes: readonly string[]) =>
  sql`key in (select found.key from unnest(cast(${prefixes} as text[])) as asked(prefix)
    join lateral (select key from rate_limit
      where key collate "C" >= asked.prefix and key collate "C" < asked.prefix || '!') as found on true)`;

/** The counters whose windows are open now, and whose keys begin with one of these. */
export const listRateLimitsUnder = async (
  db: Kysely<Database>,
  prefixes: readonly string[],
  now: Date,
): Promise<RateLimitRow[]> => {
  const { rows } = await sql<RateLimitRow>`
    select key, hits, expires_at from rate_limit
    where ${isUnder(prefixes)} and expires_at > ${now}`.execute(db);
  return rows;
};

export const deleteRateLimitsUnder = (db: Kysely<Database>, prefixes: readonly string[]): Promise<void> =>
  deleteWhere(db, isUnder(prefixes));

/**
 * Deletes the counters whose keys name the account after the name of the limit: as a whole word, since ids that were
 * imported may be short. Deletes those, too, whose keys begin with one of `prefixes`. Reads all counters: for what is
 * done rarely.
 */
export const deleteRateLimitsOf = (
  db: Kysely<Database>,
  accountId: string,
  prefixes: readonly string[],
): Promise<void> => {
  const names = (word: string) => sql`strpos(key || ' ', ${` ${word} `}) > 0`;
  return deleteWhere(
    db,
    sql`${names(accountId)} or ${names(`account:${accountId}`)} or ${isUnder(prefixes)}`,
  );
};
