import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { removeFactor } from '../../person/second-factor/factor-removal.ts';
import { findNamedAccount } from './named-account.ts';

export interface FactorResetOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  /** The brand that sends the notices. */
  brand: MessageBrand & { id: string };
  events: EventSink;
  now: () => Date;
}

/**
 * Switches the second factor of an account off for somebody who has lost all of it, and tells all contacts. The account
 * is named by its id, or by an identifier as typed. Sessions, the password and passkeys stay.
 * @returns `changed`: false where none was on.
 * @throws AppError account_not_found, and those of the identifier
 */
export const resetFactors = async (
  options: FactorResetOptions,
  named: string,
): Promise<{ id: string; changed: boolean }> => {
  const { db, messages, brand, events, now } = options;
  const id = await findNamedAccount(db, named);
  const notices = await transact(db, async (trx) => {
    const record = await lockAccount(trx, id);
    if (!record) throw new AppError('account_not_found');
    const stopped = await stopWaits(trx, options, id, { brand });
    if (!(await removeFactor(trx, id))) return undefined;
    await noteActivity(trx, { accountId: id, kind: 'totp_removed', brand: brand.id, by: 'admin' });
    const { locale } = record.account;
    const told = { notice: 'totp_removed' as const, at: now(), locale, brand };
    return [stopped, ...(await addNotices(trx, messages, record.identifiers, told))];
  });
  if (notices) events.emit('second_factor.removed', { accountId: id, actor: 'operator' });
  await Promise.all((notices ?? []).map((notice) => notice.start()));
  return { id, changed: notices !== undefined };
};
