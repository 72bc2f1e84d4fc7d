import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type RateLimitRow, rateLimitColumns } from './rate-limit.table.ts';

interface Hit {
  key: string;
  /** A hit that finds as many is refused. */
  limit: number;
  windowSeconds: number;
}

/** The first hit after the end of a window opens the next. */
const hit = ({ key, limit, windowSeconds }: Hit, now: Date, condition: RawBuilder<unknown>) => sql`
  insert into rate_limit (key, hits, expires_at)
  select ${key}::text, 1, ${new Date(now.getTime() + windowSeconds * 1000)}::timestamptz where ${condition}
  on conflict (key) do update set
    hits = case when rate_limit.expires_at <= ${now} then 1
      else least(rate_limit.hits + 1, ${limit + 1}::int) end,
    expires_at = case when rate_limit.expires_at <= ${now} then excluded.expires_at
      else rate_limit.expires_at end
  returning hits, expires_at`;

/**
 * Counts a hit of one limit after the other, in one statement, up to the first that refuses it; answers the
 * counters hit, in that order.
 */
export const upsertHits = async (
  db: Kysely<Database>,
  hits: readonly Hit[],
  now: Date,
): Promise<Pick<RateLimitRow, 'hits' | 'expires_at'>[]> => {
  const nth = (index: number) => sql.table(`hit${index}`);
  const passed = (index: number): RawBuilder<unknown> =>
    index < 0 ? sql`true` : sql`exists (select from ${nth(index)} where hits <= ${hits[index]?.limit}::int)`;
  const counted = hits.map((one, index) => sql`${nth(index)} as (${hit(one, now, passed(index - 1))})`);
  const rows = hits.map(
    (_, index) => sql`select ${sql.lit(index)} as n, hits, expires_at from ${nth(index)}`,
  );
  const result = await sql<Pick<RateLimitRow, 'hits' | 'expires_at'>>`
    with ${sql.join(counted)} ${sql.join(rows, sql` union all `)} order by n`.execute(db);
  return result.rows;
};

export const findRateLimit = async (
  db: Kysely<Database>,
  key: string,
  now: Date,
): Promise<RateLimitRow | undefined> =>
  db
    .selectFrom('rate_limit')
    .select(rateLimitColumns)
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const updateHitBack = async (db: Kysely<Database>, key: string): Promise<void> => {
  await db
    .updateTable('rate_limit')
    .set({ hits: sql`hits - 1` })
    .where('key', '=', key)
    .where('hits', '>', 0)
    .execute();
};

/** Deletes counters, and takes one hit of another back where one is named. */
export const deleteRateLimits = async (
  db: Kysely<Database>,
  keys: readonly string[],
  giveBack?: string,
): Promise<void> => {
  // Locked in the order in which `upsertHits` is told to count them, which is that of their names.
  const locked = [...keys, ...(giveBack === undefined ? [] : [giveBack])];
  await sql`
    with locked as (
      select key from rate_limit where key in (${sql.join(locked)}) order by key collate "C" for update
    ), given as (
      update rate_limit set hits = hits - 1
      where key in (select key from locked) and key = ${giveBack ?? null}::text and hits > 0
    )
    delete from rate_limit
    where key in (select key from locked) and key is distinct from ${giveBack ?? null}::text`.execute(db);
};
