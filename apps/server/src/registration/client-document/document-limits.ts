import type { Kysely } from 'kysely';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { networksOf } from '../../ground/rate-limit/address-key.ts';
import { hitRateLimits, type RateLimit, refuseSpent } from '../../ground/rate-limit/rate-limit.service.ts';

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
 * Whoever floods the host of an assistant with invented addresses from a few networks keeps nobody else from it.
 */
export const createDocumentLimits =
  ({ db, events }: { db: Kysely<Database>; events: EventSink }) =>
  /** @throws AppError rate_limited */
  async (host: string, address: string): Promise<void> => {
    const now = databaseNow();
    const networks = networksOf(address);
    const most = [hourly('most', MOST), hourly(`most-at-host ${host}`, MOST_AT_HOST)];
    const refused = await hitRateLimits(db, most, now);
    if (refused) throw refuseSpent(refused, events);

    const calm = hourly(`calm ${networks.at(-1) ?? address}`, CALM_OF_NETWORK);
    if (!(await hitRateLimits(db, [calm], now))) return;
    const busy = [
      ...networks.map((network, index) => hourly(`address ${network}`, BUSY_OF_ADDRESS * 2 ** index)),
      hourly('busy', BUSY),
      hourly(`busy-at-host ${host}`, BUSY_AT_HOST),
    ];
    const spent = await hitRateLimits(db, busy, now);
    if (spent) throw refuseSpent(spent, events);
  };

export type DocumentLimits = ReturnType<typeof createDocumentLimits>;
