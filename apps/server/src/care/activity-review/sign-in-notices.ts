import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { workOff } from '../../ground/loop/work-off.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import { findActivity } from '../../person/activity/activity.repository.ts';
import {
  countSentNotices,
  listDueNotices,
  takeNotice,
  updateNoticeLink,
} from '../../person/activity/sign-in-notice.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';

const BATCH = 20;
const HOUR = 3600;
/** Who knows a password and forgets its cookies is a new browser each time: the person has heard by then. */
const PER_DAY = 10;

export interface SignInNoticesOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  brands: readonly (MessageBrand & { id: string })[];
}

/** Notices of sign-ins in browsers that an account has not signed in with before. */
export interface SignInNotices {
  /**
   * Sends the notices that sign-ins promised, and answers how many: one an hour for each browser, ten a day for an
   * account, by mail where the account has an address and else by SMS. Any number of processes may do so at once:
   * each notice is decided by one of them, under a lock of its account.
   */
  sendDue(): Promise<number>;
}

/** By mail where there is an address: a second message would tell nothing more. */
const contactOf = ({ identifiers }: AccountRecord) =>
  identifiers.find(({ kind }) => kind === 'email') ?? identifiers[0];

const sendOne = async (
  trx: Kysely<Database>,
  { messages, brands }: SignInNoticesOptions,
  { activity_id, account_id }: { activity_id: string; account_id: string },
): Promise<Delivery[]> => {
  const record = await lockAccount(trx, account_id);
  const notice = await takeNotice(trx, activity_id);
  const row = await findActivity(trx, account_id, activity_id);
  const brand = brands.find(({ id }) => id === notice?.brand) ?? brands[0];
  const contact = record && contactOf(record);
  if (!record || !notice || !row || !brand || !contact) return [];
  const sent = await countSentNotices(trx, notice, { browserSeconds: HOUR, accountSeconds: 24 * HOUR });
  if (sent.ofBrowser > 0 || sent.ofAccount >= PER_DAY) return [];
  const token = createOpaqueToken();
  await updateNoticeLink(trx, activity_id, { tokenHash: hashToken(token), to: contact.value });
  const { browser, os } = readBrowserFacts(row.user_agent, row.client_hints);
  return addNotices(trx, messages, [contact], {
    notice: 'new_browser',
    browser: { name: browser.name, os: os.name },
    timeZone: row.time_zone ?? undefined,
    token,
    at: row.created_at,
    locale: record.account.locale,
    brand,
  });
};

export const createSignInNotices = (options: SignInNoticesOptions): SignInNotices => {
  const { db, events } = options;

  const sendAndTell = async (one: { activity_id: string; account_id: string }): Promise<number> => {
    const deliveries = await inTransaction(db, (trx) => sendOne(trx, options, one));
    if (deliveries.length > 0) events.emit('new_browser.told', { accountId: one.account_id });
    await Promise.all(deliveries.map((delivery) => delivery.start()));
    return deliveries.length;
  };

  return {
    sendDue: () =>
      workOff({
        batch: BATCH,
        list: (limit, except) => listDueNotices(db, limit, except),
        idOf: ({ activity_id }) => activity_id,
        work: sendAndTell,
      }),
  };
};
