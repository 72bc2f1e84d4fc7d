import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import type { Delivery, MessageQueue } from './message-queue.ts';
import { createNoticeMessage, type Notice } from './notice-message.ts';

/** For how long notices are tried: as long as a gateway may be down. */
const NOTICE_SECONDS = 86_400;

/** Who hears what is no alarm: the mail address, or the phone where there is none. */
export const hearersOf = <C extends Pick<Identifier, 'kind'>>(contacts: readonly C[]): readonly C[] => {
  const email = contacts.find(({ kind }) => kind === 'email');
  return email ? [email] : contacts;
};

/**
 * Adds a notice to each contact of an account, in the transaction of the change that the notice reports. A stranger
 * who reads one contact does not read the others.
 */
export const addNotices = (
  trx: Kysely<Database>,
  messages: Pick<MessageQueue, 'add'>,
  contacts: readonly Pick<Identifier, 'kind' | 'value'>[],
  notice: Notice,
): Promise<Delivery[]> =>
  Promise.all(
    contacts.map((contact) =>
      messages.add(trx, createNoticeMessage(notice, contact), { lifetimeSeconds: NOTICE_SECONDS }),
    ),
  );
