import type { Kysely } from 'kysely';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import type { Match } from '../../ground/db/expiring-rows.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { lockAccount } from '../account/account.repository.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import type { NewActivity } from '../activity/activity.repository.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { recoveryWaitRows } from './recovery-wait.repository.ts';
import type { RecoveryWaitRow } from './recovery-wait.table.ts';

/** Which waits of an account: all of them, or those of `only`; without those of `except`. */
interface WaitChoice {
  only?: Match<'recovery_wait'>;
  except?: Match<'recovery_wait'>;
}

/**
 * Ends waits of an account that the transaction has locked, and notes it where one of them was not over; answers how
 * many were not.
 */
export const endWaits = async (
  trx: Kysely<Database>,
  accountId: string,
  { at = databaseNow(), brand, only, except }: WaitChoice & { at?: Date; brand?: NewActivity['brand'] } = {},
): Promise<number> => {
  const gone = await recoveryWaitRows.endOf(trx, accountId, only, except);
  const live = gone.filter(({ expires_at }) => expires_at > at).length;
  if (live > 0) await noteActivity(trx, { accountId, kind: 'recovery_wait_stopped', brand });
  return live;
};

export interface StopOptions {
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

/** What became of waits. `start` emits the event and sends the notices, after the commit. */
export interface StoppedWaits extends Delivery {
  count: number;
}

const nothingStopped: StoppedWaits = { count: 0, start: async () => undefined };

/** Whether whoever is there may stop the wait that a contact asked for at a time. */
export type MayStop = (contact: AccountIdentifierRow, askedAt: Date) => boolean;

/** Ends waits of an account that `mayStop` allows, all of them or the one of a link. All contacts are told. */
export const stopWaits = async (
  trx: Kysely<Database>,
  { messages, events, now }: StopOptions,
  accountId: string,
  {
    brand,
    mayStop = () => true,
    only = {},
  }: Pick<WaitChoice, 'only'> & { brand: MessageBrand & { id: string }; mayStop?: MayStop },
): Promise<StoppedWaits> => {
  const at = now();
  const ofAccount = { account_id: accountId };
  if (!(await recoveryWaitRows.find(trx, ofAccount, at))) return nothingStopped;
  const record = await lockAccount(trx, accountId);
  const waits = await recoveryWaitRows.list(trx, ofAccount, at);
  const isKept = ({ kind, requested_at }: RecoveryWaitRow) =>
    record?.identifiers.some((contact) => contact.kind === kind && !mayStop(contact, requested_at));
  const kept = waits.filter(isKept).map(({ kind }) => kind);
  const count = await endWaits(trx, accountId, { only, except: { kind: kept }, at, brand: brand.id });
  if (!record || count === 0) return nothingStopped;
  const told = { notice: 'recovery_wait_stopped' as const, at, locale: record.account.locale, brand };
  const notices = await addNotices(trx, messages, record.identifiers, told);
  return {
    count,
    start: async () => {
      events.emit('recovery.wait_stopped', { accountId });
      await Promise.all(notices.map((notice) => notice.start()));
    },
  };
};
