import type { SignInNoticed } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { findNoticeOfLink, signInNoticeRows } from '../../person/activity/sign-in-notice.repository.ts';
import { closePassword } from '../../person/credential/close-password.ts';
import { updatePasswordDoubt } from '../../person/credential/password.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { announceTaken, listAddedIn, nothingTaken, takeBackAddedIn } from '../settings/session-additions.ts';
import { disown } from './disown.ts';

/** The link in the notice of a sign-in, which works without a session: it says that it was somebody else. */
export interface SignInLinkService {
  /** @throws AppError not_found once the link is used or over */
  look(token: string): Promise<SignInNoticed>;
  /**
   * Ends what the browser of the sign-in has of the account, as `ActivityReviewService.dispute` does; and the password
   * counts as known to somebody else. With `takeBack` what the session added goes, unless it is older than
   * the contact that the link went to, and the password is closed. The link works once.
   * @throws AppError not_found once the link is used or over
   */
  disown(
    token: string,
    by: { takeBack: boolean; brand: MessageBrand & { id: string }; facts: RequestFacts },
  ): Promise<{ sessionEnded: boolean; tookBack: boolean }>;
}

export interface SignInLinkOptions {
  db: Kysely<Database>;
  directory: Pick<ProviderDirectory, 'nameOf'>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

type NoticeOfLink = NonNullable<Awaited<ReturnType<typeof findNoticeOfLink>>>;

const gone = () => new AppError('not_found');

export const createSignInLinkService = (options: SignInLinkOptions): SignInLinkService => {
  const { db, events, now } = options;
  const addedIn = async ({ account_id: accountId, session_uid: uid, sent_to: sentTo }: NoticeOfLink) =>
    uid === null ? { items: [] } : listAddedIn(db, { accountId, uid }, { taker: { sentTo }, at: now() });

  return {
    look: async (token) => {
      const row = await findNoticeOfLink(db, hashToken(token));
      if (!row) throw gone();
      const { items } = await addedIn(row);
      const { browser, os, platform } = readBrowserFacts(row.user_agent, row.client_hints);
      return {
        at: row.created_at.toISOString(),
        browser,
        os,
        platform,
        ...(row.time_zone !== null && { timeZone: row.time_zone }),
        endsAt: row.link_ends_at.toISOString(),
        ...(items.length > 0 && { added: items }),
      };
    },

    disown: async (token, { takeBack, brand: here, facts }) => {
      const tokenHash = hashToken(token);
      const found = await findNoticeOfLink(db, tokenHash);
      if (!found) throw gone();
      const { account_id: accountId, session_uid: uid, sent_to: sentTo } = found;
      const { brand, ended, back } = await inTransaction(db, async (trx) => {
        await lockAccount(trx, accountId);
        const link = { token_hash: tokenHash };
        const notice = await signInNoticeRows.change(trx, link, { token_hash: null }, databaseTime);
        if (!notice) throw gone();
        const by = { at: now(), brand: here, facts, taker: { sentTo } };
        const back =
          takeBack && uid !== null
            ? await takeBackAddedIn(trx, options, { accountId, uid }, by)
            : nothingTaken;
        // Who reads the messages of the account outranks who knows its password.
        if (back.taken > 0) await closePassword(trx, accountId);
        else await updatePasswordDoubt(trx, accountId, by.at);
        const { brand } = notice;
        return { brand, back, ...(await disown(trx, found, { brand, facts })) };
      });
      events.emit('activity.disputed', { accountId, brand });
      if (ended) events.emit('session.ended', { accountId, brand });
      await announceTaken(events, accountId, back);
      return { sessionEnded: ended, tookBack: back.taken > 0 };
    },
  };
};
