import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  giveHitsBack,
  hitRateLimits,
  type RateLimit,
  refuseSpent,
} from '../../ground/rate-limit/rate-limit.service.ts';
import { type CodeSender, openTo, sharedBudgets, shareOf, wholeOf } from './send-limits.ts';
import type { VerificationOptions } from './verification-options.ts';

/** A code that was counted under the budgets which everyone shares. */
export interface CountedCode {
  /** Takes it out of the count: the code was not sent. */
  giveBack(): Promise<void>;
}

const STRANGER: CodeSender = { kind: 'stranger' };

/**
 * Counts a code under the budgets that everyone shares, by a statement of its own: within a transaction, one process
 * that stops in the middle would hold the rows that all others wait for. A sender who is beyond a limit of their own
 * uses up nothing that is shared, and strangers leave a part to those who hold an identifier.
 * @param ownLimits the limits of the sender, which are read and not counted
 * @throws AppError rate_limited
 */
export const hitSharedBudgets = async (
  options: Pick<VerificationOptions, 'db' | 'events' | 'keyOf' | 'limits'>,
  { identifier, sender }: { identifier: Identifier; sender: CodeSender },
  { at, ownLimits }: { at: Date; ownLimits: readonly RateLimit[] },
): Promise<CountedCode> => {
  const { db, events, keyOf, limits } = options;
  const shared = sharedBudgets(identifier, limits, keyOf);
  const share = shareOf(sender, limits);
  const counted = [...wholeOf(shared), ...share].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const giveBack = async (some: readonly RateLimit[]) => {
    const keys = some.map(({ key }) => key);
    // Where this fails, a budget is counted one too high until its window ends.
    if (keys.length > 0) await giveHitsBack(db, keys).catch(() => undefined);
  };
  const refused = await hitRateLimits(db, counted, at, [...ownLimits, ...openTo(sender, shared)]);
  if (!refused) return { giveBack: () => giveBack(counted) };
  // Nothing was counted. The transaction of the code refuses it by that limit next.
  if (ownLimits.includes(refused.spent)) return { giveBack: async () => undefined };
  // A part that is open to the sender was read, and is none of these.
  await giveBack(counted.slice(0, counted.indexOf(refused.spent) + 1));
  if (share.includes(refused.spent))
    return hitSharedBudgets(options, { identifier, sender: STRANGER }, { at, ownLimits });
  throw refuseSpent(refused, events);
};
