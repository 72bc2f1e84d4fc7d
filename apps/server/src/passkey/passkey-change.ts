import type { Kysely } from 'kysely';
import type { AccountRecord } from '../account/account.repository.ts';
import type { Brand } from '../brand/brand.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transact.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import type { EventSink } from '../event/events.ts';
import { requireRateLimits } from '../rate-limit/rate-limit.service.ts';
import { lockOwnAccount } from '../session/lock-own-account.ts';
import type { CurrentSession } from '../session/session.service.ts';

export interface PasskeyChangeOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** All contacts get a notice of each, and nobody may flood them. */
const limitsOf = (accountId: string) => [
  { key: `passkey.change.hour ${accountId}`, limit: 10, windowSeconds: HOUR },
  { key: `passkey.change.day ${accountId}`, limit: 20, windowSeconds: DAY },
];

/**
 * Adds or removes a passkey under the lock of its account, and tells all contacts.
 * @param change answers what the caller gets
 * @throws AppError not_signed_in, rate_limited, and what `change` throws
 */
export const changePasskeys = async <T>(
  { db, messages, events, now }: PasskeyChangeOptions,
  current: CurrentSession,
  { notice, brand }: { notice: 'passkey_added' | 'passkey_removed'; brand: Brand },
  change: (trx: Kysely<Database>, record: AccountRecord, at: Date) => Promise<T>,
): Promise<T> => {
  const at = now();
  const { result, notices } = await inTransaction(db, async (trx) => {
    const record = await lockOwnAccount(trx, current);
    const { account, identifiers } = record;
    const changed = await change(trx, record, at);
    await requireRateLimits(trx, limitsOf(account.id), at, events);
    const said = { notice, at, locale: account.locale, brand };
    const added: Delivery[] = await addNotices(trx, messages, identifiers, said);
    return { result: changed, notices: added };
  });
  await Promise.all(notices.map((delivery) => delivery.start()));
  return result;
};
