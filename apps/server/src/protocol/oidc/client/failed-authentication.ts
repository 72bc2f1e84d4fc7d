import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { errors } from 'oidc-provider';
import { databaseNow } from '../../../ground/db/clock.ts';
import type { Database } from '../../../ground/db/database.ts';
import type { EventSink } from '../../../ground/event/events.ts';
import { networksOf } from '../../../ground/rate-limit/address-key.ts';
import { hitRateLimits } from '../../../ground/rate-limit/rate-limit.service.ts';
import { createSpentKeys } from '../../../ground/rate-limit/spent-keys.ts';
import { setRetryAfter } from '../seam/engine-request.ts';

const WINDOW_SECONDS = 600;
/** Wrong secrets of one client from one network, each counted once; each wider network may have twice as many. */
const WRONG_PER_NETWORK = 20;

/** Still a failed authentication (RFC 6749 section 5.2); Retry-After says when the next secret is compared. */
class TooManyFailures extends errors.InvalidClientAuth {
  constructor() {
    super('too many wrong secrets from this network');
    this.error_description = 'too many failed authentications from this network: try again later';
  }
}

export interface FailedAuthentications {
  /**
   * Asked of each secret but a right one that is too long to be guessed.
   * @throws an error of the engine, with Retry-After set, where a client was guessed at too often from a network.
   */
  requireTry(clientId: string, address: string): void;
  /** Counts a wrong secret. */
  count(clientId: string, address: string, secret: string): Promise<void>;
}

/**
 * Bounds how many secrets of a client can be guessed from one network, and what wrong secrets cost. A right secret is
 * not counted; it is refused after too many guesses only if it is short enough to be guessed. A wrong secret counts
 * once: an instance of an app that still has an old secret does not lock out the others of its network.
 */
export const createFailedAuthentications = ({
  db,
  events,
}: {
  db: Kysely<Database>;
  events: EventSink;
}): FailedAuthentications => {
  const spent = createSpentKeys();
  const tried = createSpentKeys();
  const keysOf = (clientId: string, address: string) =>
    networksOf(address).map((network) => `client-authentication ${clientId} ${network}`);

  return {
    requireTry: (clientId, address) => {
      for (const key of keysOf(clientId, address)) {
        const seconds = spent.secondsLeft(key);
        if (seconds === undefined) continue;
        setRetryAfter(seconds);
        throw new TooManyFailures();
      }
    },

    count: async (clientId, address, secret) => {
      const keys = keysOf(clientId, address);
      const attempt = `${keys[0]} ${hash('sha256', secret, 'base64url')}`;
      if (tried.secondsLeft(attempt) !== undefined) return;
      tried.add(attempt, WINDOW_SECONDS);
      for (const [index, key] of keys.entries()) {
        const limit = WRONG_PER_NETWORK * 2 ** index;
        const refused = await hitRateLimits(
          db,
          [{ key, limit, windowSeconds: WINDOW_SECONDS }],
          databaseNow(),
        );
        if (!refused) continue;
        spent.add(key, refused.retryAfterSeconds);
        events.emit('rate_limit.exceeded', { limit: 'client-authentication', clientId });
      }
    },
  };
};
