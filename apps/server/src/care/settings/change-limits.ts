import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { type RateLimit, requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

interface Counting {
  now: Date;
  events: EventSink;
}

/** Counts in the transaction of the change, which has locked the account: a change that fails is not counted. */
const requireFew = (
  trx: Kysely<Database>,
  limits: readonly RateLimit[],
  { now, events }: Counting,
): Promise<void> => requireRateLimits(trx, limits, now, events);

/**
 * Counts a change of a password or a contact. All contacts get a notice of each, and nobody may flood them.
 * @throws AppError rate_limited
 */
export const countChange = (trx: Kysely<Database>, accountId: string, counting: Counting): Promise<void> =>
  requireFew(
    trx,
    [
      { key: `account.change.hour ${accountId}`, limit: 10, windowSeconds: HOUR },
      { key: `account.change.day ${accountId}`, limit: 20, windowSeconds: DAY },
    ],
    counting,
  );

/**
 * Counts a recovery, apart from the changes of sessions: an intruder with a session cannot use up the recoveries.
 * @throws AppError rate_limited
 */
export const countRecovery = (trx: Kysely<Database>, accountId: string, counting: Counting): Promise<void> =>
  requireFew(trx, [{ key: `account.recovery.day ${accountId}`, limit: 30, windowSeconds: DAY }], counting);
