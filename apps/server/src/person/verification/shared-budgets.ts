import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  giveHitsBack,
  hitRateLimits,
  type RateLimit,
  refuseSpent,
} from '../../ground/rate-limit/rate-limit.service.ts';
import { sharedBudgets } from './send-limits.ts';
import type { VerificationOptions } from './verification-options.ts';

/** A code that was counted under the budgets which everyone shares. */
export interface CountedCode {
  /** Takes it out of the count: the code was not sent. */
  giveBack(): Promise<void>;
}

/**
 * Counts a code under the budgets that everyone shares, by a statement of its own: within a transaction, one process
 * that stops in the middle would hold the rows that all others wait for. A sender who is beyond a limit of their own
 * uses up nothing that is shared.
 * @param ownLimits the limits of the sender, which are read and not counted
 * @throws AppError rate_limited
 */
export const hitSharedBudgets = async (
  { db, events, keyOf, limits }: Pick<VerificationOptions, 'db' | 'events' | 'keyOf' | 'limits'>,
  identifier: Identifier,
  { at, ownLimits }: { at: Date; ownLimits: readonly RateLimit[] },
): Promise<CountedCode> => {
  const budgets = sharedBudgets(identifier, limits, keyOf).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const giveBack = async (counted: readonly RateLimit[]) => {
    const keys = counted.map(({ key }) => key);
    // Where this fails, a budget is counted one too high until its window ends.
    if (keys.length > 0) await giveHitsBack(db, keys).catch(() => undefined);
  };
  const refused = await hitRateLimits(db, budgets, at, ownLimits);
  // Nothing was counted. The transaction of the code refuses it by that limit next.
  if (refused && ownLimits.includes(refused.spent)) return { giveBack: async () => undefined };
  if (refused) {
    await giveBack(budgets.slice(0, budgets.indexOf(refused.spent) + 1));
    throw refuseSpent(refused, events);
  }
  return { giveBack: () => giveBack(budgets) };
};
