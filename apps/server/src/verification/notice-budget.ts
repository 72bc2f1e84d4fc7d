import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import type { KeyOf } from '../rate-limit/key-of.ts';
import { hitRateLimits } from '../rate-limit/rate-limit.service.ts';
import { type CodeLimits, sharedBudgets } from './send-limits.ts';

export interface NoticeBudgetOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  limits: CodeLimits;
  keyOf: KeyOf;
  now: () => Date;
}

/**
 * A queue whose text messages use up the budgets of SMS that codes share. They are counted and never refused:
 * a notice may be all that its reader learns of an intruder, and each account has few of them.
 */
export const countingNotices = (options: NoticeBudgetOptions): Pick<MessageQueue, 'add'> => {
  const { db, messages, limits, keyOf, now } = options;

  /** By statements of their own, after the transaction: nobody waits for a row that everyone shares. */
  const count = async (value: string): Promise<void> => {
    const budgets = sharedBudgets({ kind: 'phone', value, display: value }, limits, keyOf);
    // One that is spent keeps none of the others from being counted.
    for (const budget of budgets) await hitRateLimits(db, [budget], now());
  };

  return {
    add: async (trx, message, addOptions) => {
      const delivery = await messages.add(trx, message, addOptions);
      if (message.channel !== 'sms') return delivery;
      return {
        start: async () => {
          // Where it fails, a budget is counted one too low until its window ends.
          await Promise.all([count(message.to).catch(() => undefined), delivery.start()]);
        },
      };
    },
  };
};
