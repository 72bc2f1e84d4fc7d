import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { AccountRecord } from '../account/account.repository.ts';
import { parseNickname } from '../account/nickname.ts';
import { noteActivity } from '../activity/note-activity.ts';
import { noteAddition } from '../addition/addition.repository.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { lockOwnAccount } from '../session/lock-own-account.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { passkeyChange } from '../signal/told.ts';
import { addAdditionNotices } from './addition-notices.ts';
import { updatePasskeyName } from './passkey.repository.ts';
import type { PasskeyRow } from './passkey.table.ts';

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
 * @param change answers the passkey that it added or removed
 * @throws AppError not_signed_in, rate_limited, and what `change` throws
 */
export const changePasskeys = async (
  { db, messages, events, now }: PasskeyChangeOptions,
  current: CurrentSession,
  { notice, brand }: { notice: 'passkey_added' | 'passkey_removed'; brand: Brand },
  change: (trx: Kysely<Database>, record: AccountRecord, at: Date) => Promise<PasskeyRow>,
): Promise<PasskeyRow> => {
  const at = now();
  const { passkey, notices } = await inTransaction(db, async (trx) => {
    const record = await lockOwnAccount(trx, current);
    const { account, identifiers } = record;
    const changed = await change(trx, record, at);
    const isAdded = notice === 'passkey_added';
    await noteActivity(trx, {
      accountId: account.id,
      kind: notice,
      session: current,
      detail: { name: changed.name },
      tells: [passkeyChange(changed, isAdded ? 'create' : 'delete')],
    });
    await requireRateLimits(trx, limitsOf(account.id), at, events);
    const account_id = account.id;
    const addition = {
      account_id,
      kind: 'passkey',
      passkey_id: changed.id,
      session_uid: current.uid,
      at,
    } as const;
    const undoToken = isAdded && (await noteAddition(trx, addition));
    const said = { notice, at, locale: account.locale, brand, ...(undoToken && { undoToken }) };
    const added: Delivery[] = await addAdditionNotices(trx, messages, identifiers, said);
    return { passkey: changed, notices: added };
  });
  await Promise.all(notices.map((delivery) => delivery.start()));
  return passkey;
};

/** The name of a passkey, by the rule of nicknames. @throws AppError passkey_name_invalid */
export const requireName = (typed: string): string => {
  const name = parseNickname(typed);
  if (name === undefined)
    throw new AppError('passkey_name_invalid', { fields: { name: 'passkey_name_invalid' } });
  return name;
};

/**
 * Gives a passkey another name.
 * @throws AppError passkey_name_invalid, not_found, rate_limited
 */
export const renamePasskey = (
  { db, events, now }: PasskeyChangeOptions,
  current: CurrentSession,
  { id, name }: Pick<PasskeyRow, 'id' | 'name'>,
): Promise<PasskeyRow> =>
  inTransaction(db, async (trx) => {
    const { accountId } = current;
    const renamed = await updatePasskeyName(trx, { id, account_id: accountId }, requireName(name));
    if (!renamed) throw new AppError('not_found');
    const limit = { key: `passkey.rename.hour ${accountId}`, limit: 30, windowSeconds: HOUR };
    await requireRateLimits(trx, [limit], now(), events);
    const detail = { name: renamed.name };
    await noteActivity(trx, { accountId, kind: 'passkey_renamed', session: current, detail });
    return renamed;
  });
