import type { Kysely } from 'kysely';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { networksOf } from '../../ground/rate-limit/address-key.ts';
import {
  hitAllOrNone,
  hitRateLimits,
  type RateLimit,
  refuseSpent,
  requireRateLimits,
} from '../../ground/rate-limit/rate-limit.service.ts';

const HOUR = 3600;

/** So many unknown documents an hour are fetched at one host, and at all, whoever asks. */
const MOST_AT_HOST = 1_000;
const MOST = 5_000;
/** Of these each network has its share. A household needs no more. */
const CALM_OF_NETWORK = 5;
/** All who ask for more than that share this much. */
const BUSY_OF_ADDRESS = 30;
const BUSY_AT_HOST = 100;
const BUSY = 1_000;

const hourly = (key: string, limit: number): RateLimit => ({
  key: `document.${key}`,
  limit,
  windowSeconds: HOUR,
});

/**
 * Bounds how many unknown documents strangers make the server fetch, and thereby whom it calls and what it keeps.
 * Whoever floods the host of an assistant with invented addresses from a few networks keeps nobody else from it: beyond
 * the limits of its networks it uses up nothing that is shared.
 */
export const createDocumentLimits =
  ({ db, events }: { db: Kysely<Database>; events: EventSink }) =>
  /** @throws AppError rate_limited */
  async (host: string, address: string): Promise<void> => {
    const now = databaseNow();
    const networks = networksOf(address);
    const calm = hourly(`calm ${networks.at(-1) ?? address}`, CALM_OF_NETWORK);
    const isBusy = (await hitRateLimits(db, [calm], now)) !== undefined;
    const own = networks.map((network, index) => hourly(`address ${network}`, BUSY_OF_ADDRESS * 2 ** index));
    const most = [hourly('most', MOST), hourly(`most-at-host ${host}`, MOST_AT_HOST)];
    const busy = [hourly('busy', BUSY), hourly(`busy-at-host ${host}`, BUSY_AT_HOST)];

    if (isBusy) await requireRateLimits(db, own, now, events);
    const refused = await hitAllOrNone(db, isBusy ? [...busy, ...most] : most, now);
    if (refused) throw refuseSpent(refused, events);
  };

export type DocumentLimits = ReturnType<typeof createDocumentLimits>;
