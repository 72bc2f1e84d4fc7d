import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  hitAllOrNone,
  type RateLimit,
  refuseSpent,
  takeBack,
} from '../../ground/rate-limit/rate-limit.service.ts';
import { type CodeSender, keptFor, sharedBudgets } from './send-limits.ts';
import type { VerificationOptions } from './verification-options.ts';

/** A code that was counted under the budgets which everyone shares. */
export interface CountedCode {
  /** Takes it out of the count: the code was not sent. */
  giveBack(): Promise<void>;
}

/**
 * Counts a code under the budgets that everyone shares, by a statement of its own: within a transaction, one process
 * that stops in the middle would hold the rows that all others wait for. A sender who is beyond a limit of their own
 * uses up nothing that is shared. What is kept for the sender comes first: strangers never use up that part.
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
  const kept = keptFor(sender, shared, limits);
  const isKept = kept.length > 0 && !(await hitAllOrNone(db, kept, at, ownLimits));
  if (isKept) return { giveBack: () => takeBack(db, kept) };
  const refused = await hitAllOrNone(db, shared, at, ownLimits);
  if (!refused) return { giveBack: () => takeBack(db, shared) };
  // The transaction of the code refuses it by that limit next.
  if (ownLimits.includes(refused.spent)) return { giveBack: async () => undefined };
  throw refuseSpent(refused, events);
};
