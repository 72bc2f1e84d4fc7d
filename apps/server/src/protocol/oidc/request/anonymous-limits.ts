import type { Kysely } from 'kysely';
import { errors } from 'oidc-provider';
import { databaseNow } from '../../../ground/db/clock.ts';
import type { Database } from '../../../ground/db/database.ts';
import type { EventSink } from '../../../ground/event/events.ts';
import { networksOf } from '../../../ground/rate-limit/address-key.ts';
import { hitRateLimits, type RateLimit } from '../../../ground/rate-limit/rate-limit.service.ts';
import { createSpentKeys } from '../../../ground/rate-limit/spent-keys.ts';
import { setRetryAfter } from '../seam/engine-request.ts';

/**
 * What the server keeps for an anonymous caller: a sign-in that begins, a pushed request, the DPoP proof of a pushed
 * request, a device code. The server also verifies signed request objects for anonymous callers. A sign-in counts
 * inside a session too, because anybody can register.
 */
type Kept = 'sign-in' | 'pushed-request' | 'proof' | 'device-code' | 'request-object';

const MINUTE = 60;
const HOUR = 3600;

/** A network may always ask this much: a household or an office needs no more. */
const CALM_PER_MINUTE = 20;
const CALM_OF_WIDEST_PER_MINUTE = 100;
/** Thousands of people who share one address may ask this much; each wider network may ask twice as much. */
const BUSY_PER_MINUTE = 10_000;
const BUSY_PER_HOUR = 100_000;
/** Requests longer than this may come a tenth as often. The requests of apps are shorter. */
const USUAL_BYTES = 2 * 1024;
const LONG_SHARE = 0.1;
/** All networks beyond the calm rate together may ask this much: one process writes and sweeps it with ease. */
const BUSY_OF_ALL_PER_MINUTE = 60_000;

/**
 * RFC 9126 section 2.3 has the status, RFC 6749 section 4.1.2.1 the error. The browser gets the error as an answer, not
 * as a redirect to the app: the app would ask again.
 */
export class TooManyAnonymousRequests extends errors.TemporarilyUnavailable {
  override status = 429;
  override statusCode = 429;
  override allow_redirect = false;

  constructor() {
    super('too many requests from this network');
  }
}

export interface AnonymousLimits {
  /**
   * Counts a request that the server is about to keep for an anonymous caller, and its length.
   * @throws TooManyAnonymousRequests, with Retry-After set on the request that is served.
   */
  require(kept: Kept, address: string, bytes: number): Promise<void>;
}

const limitsOf = (kept: Kept, address: string, bytes: number): { calm: RateLimit[]; busy: RateLimit[] } => {
  const networks = networksOf(address);
  const isLong = bytes > USUAL_BYTES;
  const name = `anonymous.${kept}${isLong ? '.long' : ''}`;
  const counted = (key: string, limit: number, windowSeconds = MINUTE) => ({
    key: `${name}.${key}`,
    limit: isLong ? limit * LONG_SHARE : limit,
    windowSeconds,
  });
  const widest = networks.length > 1 ? networks.slice(-1) : [];
  return {
    calm: [
      counted(`calm ${networks[0]}`, CALM_PER_MINUTE),
      ...widest.map((network) => counted(`calm ${network}`, CALM_OF_WIDEST_PER_MINUTE)),
    ],
    busy: [
      ...networks.flatMap((network, index) => [
        counted(`minute ${network}`, BUSY_PER_MINUTE * 2 ** index),
        counted(`hour ${network}`, BUSY_PER_HOUR * 2 ** index, HOUR),
      ]),
      counted('all', BUSY_OF_ALL_PER_MINUTE),
    ],
  };
};

/**
 * Bounds what anonymous callers can make the database keep. A network that asks little is never refused: a flood from
 * another network, which spends the share of all, keeps nobody from signing in.
 */
export const createAnonymousLimits = ({
  db,
  events,
}: {
  db: Kysely<Database>;
  events: EventSink;
}): AnonymousLimits => {
  const spent = createSpentKeys();
  /** Calm rates that are known to be passed: to count them once more would change nothing. */
  const passed = createSpentKeys();

  const refuse = (seconds: number): never => {
    setRetryAfter(seconds);
    throw new TooManyAnonymousRequests();
  };

  return {
    require: async (kept, address, bytes) => {
      const { calm, busy } = limitsOf(kept, address, bytes);
      const [{ key } = { key: kept }] = calm;
      const known = spent.secondsLeft(key);
      if (known !== undefined) return refuse(known);
      const now = databaseNow();
      if (calm.every((limit) => passed.secondsLeft(limit.key) === undefined)) {
        const over = await hitRateLimits(db, calm, now);
        if (!over) return undefined;
        // It is rounded up: a network is never taken for a busy one for longer than it is.
        passed.add(over.spent.key, over.retryAfterSeconds - 1);
      }
      const refused = await hitRateLimits(db, busy, now);
      if (!refused) return undefined;
      spent.add(key, refused.retryAfterSeconds);
      events.emit('rate_limit.exceeded', { limit: `anonymous.${kept}` });
      return refuse(refused.retryAfterSeconds);
    },
  };
};
