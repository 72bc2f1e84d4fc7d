import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { workOff } from '../../ground/loop/work-off.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices, hearersOf } from '../../person/delivery/notices.ts';
import { summaryOf } from './authorization.ts';
import { type EndingLink, listEndingLinks, takeEndingLink } from './link-end.repository.ts';

const BATCH = 20;

export interface LinkEndNoticesOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  clients: Pick<ClientService, 'findClient'>;
  events: EventSink;
  brands: readonly (MessageBrand & { id: string })[];
}

/** Notices of links that end however often they are used. */
export interface LinkEndNotices {
  /**
   * Tells people of links that end in two weeks and in two days, and answers how many messages it promised: by mail
   * where the account has an address and else by SMS. Any number of processes may do so at once: each notice is taken
   * by one of them, in the transaction that stores its message.
   */
  sendDue(): Promise<number>;
}

const sendOne = async (
  trx: Kysely<Database>,
  { messages, brands }: LinkEndNoticesOptions,
  { link, name }: { link: EndingLink; name: string },
): Promise<Delivery[]> => {
  const record = await lockAccount(trx, link.account_id);
  const end = await takeEndingLink(trx, link);
  const brand = brands.find(({ id }) => id === link.brand) ?? brands[0];
  if (!record || !end?.ends_at || !brand) return [];
  return addNotices(trx, messages, hearersOf(record.identifiers), {
    notice: 'link_ends',
    app: end.label === null ? name : `${name} (${end.label})`,
    at: end.ends_at,
    locale: record.account.locale,
    brand,
  });
};

export const createLinkEndNotices = (options: LinkEndNoticesOptions): LinkEndNotices => {
  const { db, events } = options;

  const sendAndTell = async (link: EndingLink): Promise<number> => {
    // Not in the transaction: an embedded database has one connection, and the look-up would wait for it for good.
    const { name } = await summaryOf(options, link);
    const deliveries = await inTransaction(db, (trx) => sendOne(trx, options, { link, name }));
    if (deliveries.length > 0)
      events.emit('link_end.told', { accountId: link.account_id, brand: link.brand });
    await Promise.all(deliveries.map((delivery) => delivery.start()));
    return deliveries.length;
  };

  return {
    sendDue: () =>
      workOff({
        batch: BATCH,
        list: (limit, except) => listEndingLinks(db, limit, except),
        idOf: ({ id }) => id,
        work: sendAndTell,
      }),
  };
};
