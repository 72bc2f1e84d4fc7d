import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { deletePasskey, listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { passkeyChange } from '../../person/signal/told.ts';
import type { Dropping, ProvenOwner } from './proven-owner.ts';

/**
 * Removes the passkeys that the person does not know: whoever had the account before may have added them. One that is gone
 * already, or older than what was proven, is passed over. The contacts are told once for all of them.
 */
export const dropPasskeys = async (
  trx: Kysely<Database>,
  { messages, now }: { messages: Pick<MessageQueue, 'add'>; now: () => Date },
  { account }: ProvenOwner,
  { ids, contacts, brand, mayRemove }: Dropping,
): Promise<{ dropped: number; notices: Delivery[] }> => {
  const chosen = (await listPasskeys(trx, account.id)).filter(
    ({ id, created_at }) => ids.includes(id) && mayRemove(created_at),
  );
  for (const passkey of chosen) {
    await deletePasskey(trx, { id: passkey.id, account_id: account.id });
    await noteActivity(trx, {
      accountId: account.id,
      kind: 'passkey_removed',
      brand: brand.id,
      detail: { name: passkey.name },
      tells: [passkeyChange(passkey, 'delete')],
    });
  }
  const notice = { notice: 'passkey_removed' as const, at: now(), locale: account.locale, brand };
  const notices = chosen.length > 0 ? await addNotices(trx, messages, contacts, notice) : [];
  return { dropped: chosen.length, notices };
};
