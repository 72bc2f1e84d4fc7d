import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import { hitRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import { type CodeLimits, sharedBudgets } from './send-limits.ts';

export interface NoticeBudgetOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  limits: CodeLimits;
  keyOf: KeyOf;
  now: () => Date;
}

/**
 * A queue of notices whose text messages count under the budgets of SMS that codes share. They are never refused: a
 * notice may be all that its reader learns of an intruder, and each account gets few of them.
 */
export const countingNotices = (options: NoticeBudgetOptions): Pick<MessageQueue, 'add'> => {
  const { db, messages, limits, keyOf, now } = options;

  /** Counts after the transaction, so that nobody waits for rows that everyone shares. */
  const count = async (value: string): Promise<void> => {
    const budgets = sharedBudgets({ kind: 'phone', value, display: value }, limits, keyOf);
    // Each by itself: a spent budget must not keep the others from being counted.
    for (const budget of budgets) await hitRateLimits(db, [budget], now());
  };

  return {
    add: async (trx, message, addOptions) => {
      const delivery = await messages.add(trx, message, addOptions);
      if (message.channel !== 'sms') return delivery;
      return {
        start: async () => {
          // Where counting fails, a budget is counted one too low until its window ends.
          await Promise.all([count(message.to).catch(() => undefined), delivery.start()]);
        },
      };
    },
  };
};
