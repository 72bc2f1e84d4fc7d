import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { RateLimitRow } from './rate-limit.table.ts';

/** Counts one hit up to `ceiling` in one statement; the first hit after the end of a window opens the next. */
export const upsertHit = async (
  db: Kysely<Database>,
  { key, ceiling, windowSeconds }: { key: string; ceiling: number; windowSeconds: number },
  now: Date,
): Promise<RateLimitRow> =>
  db
    .insertInto('rate_limit')
    .values({ key, hits: 1, expires_at: new Date(now.getTime() + windowSeconds * 1000) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql`case when rate_limit.expires_at <= ${now} then 1 else least(rate_limit.hits + 1, ${ceiling}::int) end`,
        expires_at: sql`case when rate_limit.expires_at <= ${now} then excluded.expires_at else rate_limit.expires_at end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const findRateLimit = async (
  db: Kysely<Database>,
  key: string,
  now: Date,
): Promise<RateLimitRow | undefined> =>
  db
    .selectFrom('rate_limit')
    .selectAll()
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

export const deleteRateLimit = async (db: Kysely<Database>, key: string): Promise<void> => {
  await db.deleteFrom('rate_limit').where('key', '=', key).execute();
};
