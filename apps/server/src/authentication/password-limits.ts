import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { clearRateLimits, giveHitBack, hitRateLimits } from '../rate-limit/rate-limit.service.ts';

const QUARTER = 900;
const HOUR = 3600;
/** How long wrong passwords count as following one another. */
const MONTH = 30 * 86_400;

const TRIES = 10;
const TRIES_OVER_ACCOUNTS = 100;
/** NIST SP 800-63B-4 section 3.2.2: no more than 100 wrong ones in a row. */
const TRIES_IN_A_ROW = 100;

/** Who tries a password, and from where. */
export interface PasswordTry {
  /** The account, or the identifier where there is none. */
  who: string;
  /** What the address is counted by. */
  address: string;
  /** The digest of the pre-session cookie. */
  device: string;
}

const pairKey = ({ who, address }: PasswordTry) => `password.account ${who} ${address}`;
const addressLimitKey = ({ address }: PasswordTry) => `password.address ${address}`;
const rowKey = ({ who }: PasswordTry) => `password.row ${who}`;
const deviceKey = ({ who, device }: PasswordTry) => `password.device ${who} ${device}`;
const deviceRowKey = ({ who, device }: PasswordTry) => `password.device.row ${who} ${device}`;

/**
 * What a try is counted under, in the order of the keys; the last counts wrong ones in a row. A browser that
 * signed in as this account before has counters of its own, so that nobody else can lock its owner out; whoever
 * holds its cookie still has no more tries than a stranger.
 */
const limitsOf = (tried: PasswordTry, known: boolean) =>
  known
    ? [
        { key: deviceKey(tried), limit: TRIES, windowSeconds: QUARTER },
        { key: deviceRowKey(tried), limit: TRIES_IN_A_ROW, windowSeconds: MONTH },
      ]
    : [
        { key: pairKey(tried), limit: TRIES, windowSeconds: QUARTER },
        { key: addressLimitKey(tried), limit: TRIES_OVER_ACCOUNTS, windowSeconds: HOUR },
        { key: rowKey(tried), limit: TRIES_IN_A_ROW, windowSeconds: MONTH },
      ];

const countersOf = (tried: PasswordTry) => [
  pairKey(tried),
  rowKey(tried),
  deviceKey(tried),
  deviceRowKey(tried),
];

/** Starts the account's counts anew, after a proof that its owner is here. */
export const clearPasswordTries = (db: Kysely<Database>, tried: PasswordTry): Promise<void> =>
  clearRateLimits(db, countersOf(tried));

/**
 * Counts a try before it is compared, so that parallel ones cannot pass together; it is given back when
 * it was right, or was not compared.
 * @throws AppError rate_limited; step_up_required after too many wrong ones in a row: from then on a code
 *   signs in, and starts the count anew
 */
export const countPasswordTry = async (
  db: Kysely<Database>,
  { known, ...tried }: PasswordTry & { known: boolean },
  now: Date,
) => {
  const limits = limitsOf(tried, known);
  const keys = limits.map(({ key }) => key);
  const giveBack = async (all: readonly string[]) => {
    for (const key of all) await giveHitBack(db, key);
  };

  const refused = await hitRateLimits(db, limits, now);
  if (refused && refused.spent < limits.length - 1) {
    throw new AppError('rate_limited', { retryAfterSeconds: refused.retryAfterSeconds });
  }
  if (refused) {
    await giveBack(keys.slice(0, -1));
    throw new AppError('step_up_required');
  }
  return {
    right: () => clearRateLimits(db, countersOf(tried), known ? undefined : addressLimitKey(tried)),
    untried: () => giveBack(keys),
  };
};
