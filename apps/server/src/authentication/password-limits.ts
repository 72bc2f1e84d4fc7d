import type { Kysely } from 'kysely';
import type { Caller } from '../browser/caller.ts';
import { passwordRow } from '../credential/password-row.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { hashToken } from '../opaque-token.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import { addressLimits } from '../rate-limit/address-limits.ts';
import type { KeyOf } from '../rate-limit/key-of.ts';
import {
  clearRateLimits,
  countHits,
  giveHitBack,
  giveHitsBack,
  hitRateLimits,
  limitNameOf,
  type RateLimit,
  refuseSpent,
  type SpentLimit,
} from '../rate-limit/rate-limit.service.ts';
import { codeRowKeys } from '../verification/code-row.ts';
import { createUnderWay } from './under-way.ts';

const QUARTER = 900;
const HOUR = 3600;

const TRIES = 10;
const TRIES_OVER_ACCOUNTS = 100;
/** A try under way takes a fraction of a second, and a few seconds in a crowd. */
const BUSY_SECONDS = 2;
const WAIT_MS = 5_000;

/** Who tries a password, and from where. */
interface PasswordTry extends Caller {
  /** What was submitted, canonical; undefined where a session says whose password it is. */
  identifier?: string | undefined;
  /** Undefined where there is no account. */
  accountId: string | undefined;
}

/** One try that was counted; exactly one of these has to follow. */
interface CountedTry {
  /** Starts the counts anew. */
  right(): Promise<void>;
  /** Counts it over accounts too. */
  wrong(): Promise<void>;
  /** Takes it back: it was not compared. */
  untried(): Promise<void>;
}

export interface PasswordLimits {
  /**
   * Counts a try before it is compared, so that parallel ones cannot pass together; over accounts only wrong
   * ones count, when they are known to be.
   * @param known whether the browser signed in as this account before
   * Where as many are under way as may be wrong, it waits for one of them to end.
   * @throws AppError rate_limited; busy after waiting; step_up_required after too many wrong ones in a row: from
   *   then on a code signs in, and starts the count anew
   */
  count(tried: PasswordTry, known: boolean): Promise<CountedTry>;
  /** Starts the account's counts anew, after a proof that its owner is here. */
  clear(tried: PasswordTry): Promise<void>;
}

export interface PasswordLimitsOptions {
  db: Kysely<Database>;
  keyOf: KeyOf;
  events: EventSink;
  now: () => Date;
}

/** What counts a try before it is compared, and once it was wrong. */
interface TryLimits {
  /** Tries of one person from one place, those under way included. */
  tries: RateLimit;
  /** How many of them were wrong. */
  wrong: RateLimit;
  /** Wrong ones in a row. */
  row: RateLimit;
  /** Over accounts: wrong ones only. */
  address: RateLimit[];
}

/**
 * Tries are counted by what was submitted, so that no count tells which identifiers belong to one account;
 * only the long count of wrong ones in a row is the account's. An identifier that nobody has counts the same.
 */
export const createPasswordLimits = ({ db, keyOf, events, now }: PasswordLimitsOptions): PasswordLimits => {
  const ownerOf = ({ accountId, identifier = '' }: PasswordTry) => accountId ?? keyOf(identifier);
  const pairOf = (tried: PasswordTry) =>
    keyOf(`${tried.identifier ?? tried.accountId} ${addressKey(tried.address)}`);
  const deviceOf = (tried: PasswordTry) => `${ownerOf(tried)} ${hashToken(tried.device)}`;
  const rowOf = (tried: PasswordTry, known: boolean) =>
    passwordRow({ owner: ownerOf(tried), deviceHash: hashToken(tried.device) }, known);

  const limitsOf = (name: string, whose: string, row: RateLimit): Omit<TryLimits, 'address'> => ({
    tries: { key: `${name} ${whose}`, limit: TRIES, windowSeconds: QUARTER },
    wrong: { key: `${name}.wrong ${whose}`, limit: TRIES, windowSeconds: QUARTER },
    row,
  });
  const limitsOfStranger = (tried: PasswordTry): TryLimits => ({
    ...limitsOf('password.pair', pairOf(tried), rowOf(tried, false)),
    address: addressLimits('password.address', tried.address, {
      limit: TRIES_OVER_ACCOUNTS,
      windowSeconds: HOUR,
    }),
  });
  /**
   * A browser that signed in as this account before has counters of its own, so that nobody else can lock its
   * owner out; whoever holds its cookie still has no more tries than a stranger.
   */
  const limitsOfKnown = (tried: PasswordTry): TryLimits => ({
    ...limitsOf('password.device', deviceOf(tried), rowOf(tried, true)),
    address: [],
  });

  const countersOf = (tried: PasswordTry): string[] => [
    ...(tried.identifier === undefined
      ? []
      : codeRowKeys({ identifier: tried.identifier, deviceHash: hashToken(tried.device) }, keyOf)),
    ...[limitsOfStranger(tried), limitsOfKnown(tried)].flatMap(({ tries, wrong, row }) => [
      tries.key,
      wrong.key,
      row.key,
    ]),
  ];

  const isGuessed = async ({ key, limit }: RateLimit): Promise<boolean> =>
    ((await countHits(db, [key], now())).get(key) ?? 0) >= limit;

  const underWay = createUnderWay(WAIT_MS);

  const refuse = async (
    refused: SpentLimit,
    { tries, row }: TryLimits,
    isBusy: boolean,
  ): Promise<AppError> => {
    if (isBusy) return new AppError('busy', { retryAfterSeconds: BUSY_SECONDS });
    if (refused.spent !== row) return refuseSpent(refused, events);
    await giveHitBack(db, tries.key);
    events.emit('rate_limit.exceeded', { limit: limitNameOf(row) });
    return new AppError('step_up_required');
  };

  /** Answers what is to be called when the try ended. */
  const begin = async (limits: TryLimits): Promise<() => void> => {
    const { tries, wrong, row, address } = limits;
    const visit = underWay.visit(tries.key);
    const enter = async (): Promise<() => void> => {
      visit.look();
      const refused = await hitRateLimits(db, [tries, row], now(), address);
      if (!refused) return visit.begin();
      // Some that are counted may yet turn out right.
      const isBusy = refused.spent === tries && !(await isGuessed(wrong));
      if (isBusy && (await visit.untilOneEnds())) return enter();
      throw await refuse(refused, limits, isBusy);
    };
    return enter().catch((error) => {
      visit.leave();
      throw error;
    });
  };

  const count: PasswordLimits['count'] = async (tried, known) => {
    const limits = known ? limitsOfKnown(tried) : limitsOfStranger(tried);
    const { tries, wrong, row, address } = limits;
    const end = await begin(limits);
    const ending = async (work: Promise<unknown>) => {
      await work.finally(end);
    };
    return {
      right: () => ending(clearRateLimits(db, countersOf(tried))),
      wrong: () => ending(hitRateLimits(db, [...address, wrong], now())),
      untried: () => ending(giveHitsBack(db, [tries.key, row.key])),
    };
  };

  return { count, clear: (tried) => clearRateLimits(db, countersOf(tried)) };
};
