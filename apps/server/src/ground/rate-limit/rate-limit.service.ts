import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import {
  deleteRateLimits,
  deleteRateLimitsUnder,
  listRateLimits,
  listRateLimitsUnder,
  updateHitsBack,
  upsertHits,
} from './rate-limit.repository.ts';

/** At most `limit` hits of `key` in the window that the first of them opens. */
export interface RateLimit {
  /** The limit's name, a space and who is counted; never an identifier in clear (`key-of.ts`). */
  key: string;
  limit: number;
  windowSeconds: number;
}

/** The limit that refused a hit. */
export interface SpentLimit {
  spent: RateLimit;
  retryAfterSeconds: number;
}

const secondsLeft = (end: Date, now: Date) => Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));

/** The name of a limit, without who is counted. */
export const limitNameOf = ({ key }: Pick<RateLimit, 'key'>): string => key.split(' ', 1)[0] ?? '';

/**
 * Counts a hit of each limit, in the order given, up to the first that is spent. Answers that limit and the seconds
 * until its window ends; undefined where no limit is spent. Where one of `looks` is spent, answers that one and
 * counts nothing. Callers that count or clear several of the same limits do so in the order of their keys, or two
 * of them could wait for each other.
 */
export const hitRateLimits = async (
  db: Kysely<Database>,
  limits: readonly RateLimit[],
  now: Date,
  looks: readonly RateLimit[] = [],
): Promise<SpentLimit | undefined> => {
  const found = await upsertHits(db, limits, looks, now);
  const limitOf = ({ key, place }: (typeof found)[number]) =>
    place === undefined ? looks.find((look) => look.key === key) : limits[place];
  const refused = found.filter((row) => row.place === undefined || row.hits > (limitOf(row)?.limit ?? 0));
  // Of several spent limits the one that lasts longest is answered.
  const [row] = refused.toSorted((a, b) => b.expires_at.getTime() - a.expires_at.getTime());
  const spent = row && limitOf(row);
  return spent && { spent, retryAfterSeconds: secondsLeft(row.expires_at, now) };
};

/** Counts a hit. Answers the seconds until the window ends where the limit is spent, else undefined. */
export const hitRateLimit = async (
  db: Kysely<Database>,
  limit: RateLimit,
  now: Date,
): Promise<number | undefined> => (await hitRateLimits(db, [limit], now))?.retryAfterSeconds;

/** Emits the event of a spent limit and answers the refusal. */
export const refuseSpent = (
  { spent, retryAfterSeconds }: SpentLimit,
  events: EventSink | undefined,
): AppError => {
  events?.emit('rate_limit.exceeded', { limit: limitNameOf(spent) });
  return new AppError('rate_limited', { retryAfterSeconds });
};

/**
 * Counts a hit of each limit, in the order given. Inside a transaction a refusal takes all hits back; every caller
 * must then use the same order, or two of them could wait for each other.
 *
 * @throws AppError rate_limited
 */
export const requireRateLimits = async (
  db: Kysely<Database>,
  limits: readonly RateLimit[],
  now: Date,
  events?: EventSink,
): Promise<void> => {
  const refused = await hitRateLimits(db, limits, now);
  if (refused) throw refuseSpent(refused, events);
};

/** How many hits each key has in its open window; keys without an open window are left out. */
export const countHits = async (
  db: Kysely<Database>,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> =>
  new Map((await listRateLimits(db, keys, now)).map(({ key, hits }) => [key, hits]));

/**
 * Counts a hit of each limit, or none: where one is spent, those before it are given back. For what many share, as it
 * counts in the order of the keys. Where one of `looks` is spent, answers that one and counts nothing.
 */
export const hitAllOrNone = async (
  db: Kysely<Database>,
  limits: readonly RateLimit[],
  now: Date,
  looks: readonly RateLimit[] = [],
): Promise<SpentLimit | undefined> => {
  const ordered = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  // Most hits of a spent limit find it so before anything is counted.
  const seen = ordered.map((limit) => ({ ...limit }));
  const refused = await hitRateLimits(db, ordered, now, [...looks, ...seen]);
  // Parallel hits beyond a limit count as one. If each gave one back, the limit would be open again.
  if (refused) await takeBack(db, ordered.slice(0, Math.max(0, ordered.indexOf(refused.spent))));
  return refused;
};

/** Takes one hit of each limit back, so far as the database can be reached: else it is one too high for its window. */
export const takeBack = async (db: Kysely<Database>, limits: readonly RateLimit[]): Promise<void> => {
  const keys = limits.map(({ key }) => key);
  if (keys.length > 0) await giveHitsBack(db, keys).catch(() => undefined);
};

/** Takes one hit of each key back: what was counted turned out not to count. */
export const giveHitsBack = (db: Kysely<Database>, keys: readonly string[]): Promise<void> =>
  updateHitsBack(db, keys);

/** Takes one hit back: what was counted turned out not to count. */
export const giveHitBack = (db: Kysely<Database>, key: string): Promise<void> => giveHitsBack(db, [key]);

/** Deletes the counters of these keys. */
export const clearRateLimits = (db: Kysely<Database>, keys: readonly string[]): Promise<void> =>
  deleteRateLimits(db, keys);

/** What the keys of some counters begin with, and how many hits each bears. */
export interface CountedTries {
  prefix: string;
  limit: number;
}

/** An open counter, by the name of its limit. */
export interface OpenCount {
  name: string;
  hits: number;
  endsAt: Date;
}

/** @param prefixes the names of limits, each with a space and the owner; keys may go on after another space */
export const listCountsOf = async (
  db: Kysely<Database>,
  prefixes: readonly string[],
  now: Date,
): Promise<OpenCount[]> =>
  (await listRateLimitsUnder(db, prefixes, now)).map(({ key, hits, expires_at: endsAt }) => ({
    name: limitNameOf({ key }),
    hits,
    endsAt,
  }));

/** Deletes the counters that `listCountsOf` finds, also those that are over. */
export const clearCountsOf = (db: Kysely<Database>, prefixes: readonly string[]): Promise<void> =>
  deleteRateLimitsUnder(db, prefixes);
