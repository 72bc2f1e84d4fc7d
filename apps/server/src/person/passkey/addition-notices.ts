import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import { settledContacts } from '../account/bound-since.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import type { Notice } from '../delivery/notice-message.ts';
import { addNotices } from '../delivery/notices.ts';

/** Tells all contacts what was added; the link that takes it back goes to those that were bound for long. */
export const addAdditionNotices = async (
  trx: Kysely<Database>,
  messages: Pick<MessageQueue, 'add'>,
  contacts: readonly AccountIdentifierRow[],
  { undoToken, ...notice }: Notice & { undoToken?: string },
): Promise<Delivery[]> => {
  const settled = undoToken === undefined ? [] : settledContacts(contacts, notice.at);
  const others = contacts.filter((one) => !settled.includes(one));
  return [
    ...(await addNotices(trx, messages, settled, { ...notice, undoToken } as Notice)),
    ...(await addNotices(trx, messages, others, notice as Notice)),
  ];
};
