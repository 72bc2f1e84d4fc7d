import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { deleteRateLimits, findRateLimit, updateHitBack, upsertHits } from './rate-limit.repository.ts';

/** At most `limit` hits of `key` in the window that the first of them opens. */
export interface RateLimit {
  key: string;
  limit: number;
  windowSeconds: number;
}

const secondsLeft = (end: Date, now: Date) => Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));

/**
 * Counts a hit of each limit, in the order given, up to the first that is spent; answers which that is and the
 * seconds until its window ends, undefined when it was within all. Who counts or clears some of these
 * together does it in the order of their keys, or two could wait for each other.
 */
export const hitRateLimits = async (
  db: Kysely<Database>,
  limits: readonly RateLimit[],
  now: Date,
): Promise<{ spent: number; retryAfterSeconds: number } | undefined> => {
  const rows = await upsertHits(db, limits, now);
  const spent = rows.findIndex(({ hits }, index) => hits > (limits[index]?.limit ?? 0));
  const row = rows[spent];
  return row && { spent, retryAfterSeconds: secondsLeft(row.expires_at, now) };
};

/** Counts a hit; undefined when it is within the limit, else the seconds until the window ends. */
export const hitRateLimit = async (
  db: Kysely<Database>,
  limit: RateLimit,
  now: Date,
): Promise<number | undefined> => (await hitRateLimits(db, [limit], now))?.retryAfterSeconds;

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
  const refused = await hitRateLimits(db, limits, now);
  if (refused) throw new AppError('rate_limited', { retryAfterSeconds: refused.retryAfterSeconds });
};

/** Whether anything was counted under the key in the window that is open now. */
export const isCounted = async (db: Kysely<Database>, key: string, now: Date): Promise<boolean> =>
  ((await findRateLimit(db, key, now))?.hits ?? 0) > 0;

/** Whether another hit would be one too many. */
export const isSpent = async (db: Kysely<Database>, { key, limit }: RateLimit, now: Date): Promise<boolean> =>
  ((await findRateLimit(db, key, now))?.hits ?? 0) >= limit;

/** Takes one hit back, of something that turned out not to count. */
export const giveHitBack = (db: Kysely<Database>, key: string): Promise<void> => updateHitBack(db, key);

/** Starts keys anew, and takes one hit of another back where one is named. */
export const clearRateLimits = (
  db: Kysely<Database>,
  keys: readonly string[],
  giveBack?: string,
): Promise<void> => deleteRateLimits(db, keys, giveBack);
