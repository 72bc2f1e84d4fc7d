import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { errors } from 'oidc-provider';
import { databaseNow } from '../../../ground/db/clock.ts';
import type { Database } from '../../../ground/db/database.ts';
import { addressKey } from '../../../ground/rate-limit/address-key.ts';
import { giveHitBack, hitRateLimits, type RateLimit } from '../../../ground/rate-limit/rate-limit.service.ts';

/** RFC 8628 section 6.1: without vowels no code is a word, and no character looks like another. */
export const USER_CODE_CHARSET = 'base-20';

/** RFC 8628 section 3.2: `expires_in`. */
export const DEVICE_CODE_SECONDS = 600;
/** RFC 8628 section 3.2: `interval`, before any `slow_down`. */
export const POLL_INTERVAL_SECONDS = 5;

const HOUR_SECONDS = 3600;
const WRONG_PER_ACCOUNT = 10;
/** Many people may share an address. */
const WRONG_PER_ADDRESS = 60;

/**
 * The keys of user codes in the database. A user code is so short that trying all codes would reverse a plain hash. So
 * the hash is keyed, and the code itself is sealed for the page that shows it again.
 */
export interface UserCodeKeys {
  /** A key of each SECRET_KEY, the newest first. */
  hash: readonly [Buffer, ...Buffer[]];
  seal: readonly [Buffer, ...Buffer[]];
}

export const hashUserCode = (key: Buffer, userCode: string): string =>
  createHmac('sha256', key).update(userCode).digest('base64url');

/** Too many wrong user codes of one account or one address (RFC 8628 section 5.1). */
export class TooManyUserCodes extends errors.InvalidRequest {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too many wrong user codes');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Guesser {
  accountId: string;
  address: string;
}

const limitsOf = ({ accountId, address }: Guesser): RateLimit[] => [
  { key: `user-code.account ${accountId}`, limit: WRONG_PER_ACCOUNT, windowSeconds: HOUR_SECONDS },
  { key: `user-code.address ${addressKey(address)}`, limit: WRONG_PER_ADDRESS, windowSeconds: HOUR_SECONDS },
];

/**
 * Looks a user code up for a person. Each look-up counts before it runs, so that parallel look-ups cannot exceed the
 * limit. A look-up that finds a code is given back.
 * @throws TooManyUserCodes
 */
export const guessUserCode = async <Row>(
  db: Kysely<Database>,
  guesser: Guesser,
  find: () => Promise<Row | undefined>,
): Promise<Row | undefined> => {
  const limits = limitsOf(guesser);
  const refused = await hitRateLimits(db, limits, databaseNow());
  if (refused) throw new TooManyUserCodes(refused.retryAfterSeconds);
  const row = await find();
  if (row) for (const { key } of limits) await giveHitBack(db, key);
  return row;
};
