import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { countHits, hitRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';

/** Searches and accounts that one member of staff looks at within an hour: more than any day of calls takes. */
const LOOKS = 500;

const looksOf = (accountId: string) => ({
  key: `desk.looks ${accountId}`,
  limit: LOOKS,
  windowSeconds: 3600,
});

export const countLooksLeft = async (db: Kysely<Database>, accountId: string, now: Date): Promise<number> => {
  const { key } = looksOf(accountId);
  return Math.max(0, LOOKS - ((await countHits(db, [key], now)).get(key) ?? 0));
};

/** Counts a look. @throws AppError rate_limited; the operators hear of it by an event */
export const hitLook = async (
  { db, events, now }: { db: Kysely<Database>; events: EventSink; now: () => Date },
  { accountId, brand }: CurrentSession,
): Promise<void> => {
  const spent = await hitRateLimits(db, [looksOf(accountId)], now());
  if (!spent) return;
  events.emit('desk.looks_exhausted', { accountId, brand });
  throw new AppError('rate_limited', { retryAfterSeconds: spent.retryAfterSeconds });
};
