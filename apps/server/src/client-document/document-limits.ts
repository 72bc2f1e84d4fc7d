import type { Kysely } from 'kysely';
import { databaseNow } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { networksOf } from '../rate-limit/address-key.ts';
import { hitRateLimits, limitNameOf, type RateLimit } from '../rate-limit/rate-limit.service.ts';

const HOUR = 3600;

/** A network may always make the server fetch so many documents that it does not know. A household needs no more. */
const CALM_PER_NETWORK = 5;
/** Beyond that: so many of one address, of one host, and of all. */
const PER_ADDRESS = 30;
const PER_HOST = 100;
const PER_SERVER = 1_000;

const hourly = (key: string, limit: number): RateLimit => ({
  key: `document.${key}`,
  limit,
  windowSeconds: HOUR,
});

/**
 * Bounds how many unknown documents strangers make the server fetch, and thereby whom it calls and what it keeps. A
 * network that asks little is never refused: a flood of invented addresses at the host of an assistant, from other
 * networks, keeps nobody from the assistant.
 */
export const createDocumentLimits =
  ({ db, events }: { db: Kysely<Database>; events: EventSink }) =>
  /** @throws AppError rate_limited */
  async (host: string, address: string): Promise<void> => {
    const now = databaseNow();
    const networks = networksOf(address);
    const widest = networks.at(-1) ?? address;
    const isCalm = !(await hitRateLimits(db, [hourly(`calm ${widest}`, CALM_PER_NETWORK)], now));
    if (isCalm) return;
    const busy = [
      ...networks.map((network, index) => hourly(`address ${network}`, PER_ADDRESS * 2 ** index)),
      hourly(`host ${host}`, PER_HOST),
      hourly('all', PER_SERVER),
    ];
    const refused = await hitRateLimits(db, busy, now);
    if (!refused) return;
    events.emit('rate_limit.exceeded', { limit: limitNameOf(refused.spent) });
    throw new AppError('rate_limited', { retryAfterSeconds: refused.retryAfterSeconds });
  };

export type DocumentLimits = ReturnType<typeof createDocumentLimits>;
