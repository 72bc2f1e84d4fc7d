import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { deleteRateLimit, findRateLimit, updateHitBack, upsertHit } from './rate-limit.repository.ts';

/** At most `limit` hits of `key` in the window that the first of them opens. */
export interface RateLimit {
  key: string;
  limit: number;
  windowSeconds: number;
}

/** Counts a hit; undefined when it is within the limit, else the seconds until the window ends. */
export const hitRateLimit = async (
  db: Kysely<Database>,
  { key, limit, windowSeconds }: RateLimit,
  now: Date,
): Promise<number | undefined> => {
  const row = await upsertHit(db, { key, ceiling: limit + 1, windowSeconds }, now);
  if (row.hits <= limit) return undefined;
  return Math.max(1, Math.ceil((row.expires_at.getTime() - now.getTime()) / 1000));
};

/**
 * Counts a hit of each limit, in the order given. Inside a transaction a refusal takes all of them back;
 * the order must then be the same for every caller, or two could wait for each other.
 *
 * @throws AppError rate_limited
 */
export const requireRateLimits = async (
  db: Kysely<Database>,
  limits: readonly RateLimit[],
  now: Date,
): Promise<void> => {
  for (const limit of limits) {
    const retryAfterSeconds = await hitRateLimit(db, limit, now);
    if (retryAfterSeconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds });
  }
};

/** Whether anything was counted under the key in the window that is open now. */
export const isCounted = async (db: Kysely<Database>, key: string, now: Date): Promise<boolean> =>
  ((await findRateLimit(db, key, now))?.hits ?? 0) > 0;

/** Whether another hit would be one too many. */
export const isSpent = async (db: Kysely<Database>, { key, limit }: RateLimit, now: Date): Promise<boolean> =>
  ((await findRateLimit(db, key, now))?.hits ?? 0) >= limit;

/** Takes one hit back, of something that turned out not to count. */
export const giveHitBack = (db: Kysely<Database>, key: string): Promise<void> => updateHitBack(db, key);

/** Starts the key anew. */
export const clearRateLimit = (db: Kysely<Database>, key: string): Promise<void> => deleteRateLimit(db, key);
