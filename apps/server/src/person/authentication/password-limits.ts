import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
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
} from '../../ground/rate-limit/rate-limit.service.ts';
import { type PasswordTry, type TryLimits, tryCounters, tryLimits } from './password-counters.ts';
import { createUnderWay } from './under-way.ts';

/** A try under way takes a fraction of a second, and a few seconds in a crowd. */
const BUSY_SECONDS = 2;
const WAIT_MS = 5_000;

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
   * Counts a try before it is compared, so that parallel ones cannot pass together. Over accounts only wrong tries
   * count, once they are known to be wrong. Where as many tries are under way as may be wrong, it waits for one of
   * them to end.
   * @param known whether the browser signed in as this account before
   * @throws AppError rate_limited; busy after waiting; step_up_required after too many wrong tries in a row: from
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

export const createPasswordLimits = ({ db, keyOf, events, now }: PasswordLimitsOptions): PasswordLimits => {
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

  /** Counts the try; the function that it answers is called when the try has ended. */
  const begin = async (limits: TryLimits): Promise<() => void> => {
    const { tries, wrong, row, address } = limits;
    const visit = underWay.visit(tries.key);
    const enter = async (): Promise<() => void> => {
      visit.look();
      const refused = await hitRateLimits(db, [tries, row], now(), address);
      if (!refused) return visit.begin();
      // Some of the counted tries are under way, and may turn out right.
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
    const limits = tryLimits(tried, known, keyOf);
    const { tries, wrong, row, address } = limits;
    const end = await begin(limits);
    const ending = async (work: Promise<unknown>) => {
      await work.finally(end);
    };
    return {
      right: () => ending(clearRateLimits(db, tryCounters(tried, keyOf))),
      wrong: () => ending(hitRateLimits(db, [...address, wrong], now())),
      untried: () => ending(giveHitsBack(db, [tries.key, row.key])),
    };
  };

  return { count, clear: (tried) => clearRateLimits(db, tryCounters(tried, keyOf)) };
};
