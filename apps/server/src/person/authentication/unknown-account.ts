import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { addressKey } from '../../ground/rate-limit/address-key.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import {
  countHits,
  hitRateLimit,
  hitRateLimits,
  limitNameOf,
  type RateLimit,
} from '../../ground/rate-limit/rate-limit.service.ts';
import type { UnknownAccountPolicy } from '../account/unknown-account-policy.ts';

const SHOWN_PER_DAY = 5;
/** From all addresses together: no more people mistype, and an attacker with many addresses learns no more. */
const SHOWN_TO_ALL_PER_DAY = 1_000;
const DAY = 86_400;

export interface UnknownAccountOptions {
  db: Kysely<Database>;
  policy: UnknownAccountPolicy;
  keyOf: KeyOf;
  events: EventSink;
  now: () => Date;
}

interface Asked {
  /** Canonical. */
  identifier: string;
  /** The IP address of the request. */
  address: string;
}

export interface UnknownAccount {
  /**
   * The refusal of a password for an identifier without an account. A person who mistyped reads `account_not_found`; an
   * address that tries one identifier after another soon gets `invalid_credentials` for all of them.
   */
  refuse(asked: Asked): Promise<AppError>;
  /** Spends the time of `refuse` on a wrong password, so that the time does not show whether there is an account. */
  spendLookUps(asked: Asked): Promise<void>;
}

export const createUnknownAccount = (options: UnknownAccountOptions): UnknownAccount => {
  const { db, policy, keyOf, events, now } = options;

  /** Reads all counters in one statement: whether this address saw the answer before, and which limits are spent. */
  const lookUp = async ({ identifier, address }: Asked) => {
    const shown = { key: `unknown.shown ${keyOf(`${identifier} ${addressKey(address)}`)}`, limit: 1 };
    const totals: RateLimit[] = [
      ...addressLimits('unknown.address', address, { limit: SHOWN_PER_DAY, windowSeconds: DAY }),
      { key: 'unknown.all', limit: SHOWN_TO_ALL_PER_DAY, windowSeconds: DAY },
    ];
    const hits = await countHits(db, [shown.key, ...totals.map(({ key }) => key)], now());
    return {
      shown: { ...shown, windowSeconds: DAY },
      totals,
      before: hits.has(shown.key),
      spent: totals.some(({ key, limit }) => (hits.get(key) ?? 0) >= limit),
    };
  };

  const isShown = async (asked: Asked): Promise<boolean> => {
    const { shown, totals, before, spent } = await lookUp(asked);
    if (before) return true;
    if (spent) return false;
    const refused = await hitRateLimits(db, totals, now());
    if (refused) {
      events.emit('rate_limit.exceeded', { limit: limitNameOf(refused.spent) });
      return false;
    }
    await hitRateLimit(db, shown, now());
    return true;
  };

  return {
    refuse: async (asked) => {
      const reveals = policy === 'reveal' || (policy === 'after-code' && (await isShown(asked)));
      return new AppError(reveals ? 'account_not_found' : 'invalid_credentials');
    },
    spendLookUps: async (asked) => {
      if (policy === 'after-code') await lookUp(asked);
    },
  };
};
