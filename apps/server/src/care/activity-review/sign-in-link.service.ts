import type { SignInNoticed } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { findNoticeOfLink, spendNoticeLink } from '../../person/activity/sign-in-notice.repository.ts';
import { updatePasswordDoubt } from '../../person/credential/password.repository.ts';
import { disown } from './disown.ts';

/** The link in the notice of a sign-in, which works without a session: it says that it was somebody else. */
export interface SignInLinkService {
  /** @throws AppError not_found once the link is used or over */
  look(token: string): Promise<SignInNoticed>;
  /**
   * Ends what the browser of the sign-in has of the account, as `ActivityReviewService.dispute` does; and the password
   * counts as known to somebody else. The link works once.
   * @throws AppError not_found once the link is used or over
   */
  disown(token: string, facts: RequestFacts): Promise<{ sessionEnded: boolean }>;
}

export interface SignInLinkOptions {
  db: Kysely<Database>;
  events: EventSink;
  now: () => Date;
}

const gone = () => new AppError('not_found');

export const createSignInLinkService = ({ db, events, now }: SignInLinkOptions): SignInLinkService => ({
  look: async (token) => {
    const row = await findNoticeOfLink(db, hashToken(token));
    if (!row) throw gone();
    const { browser, os, platform } = readBrowserFacts(row.user_agent, row.client_hints);
    return {
      at: row.created_at.toISOString(),
      browser,
      os,
      platform,
      ...(row.time_zone !== null && { timeZone: row.time_zone }),
      endsAt: row.link_ends_at.toISOString(),
    };
  },

  disown: async (token, facts) => {
    const tokenHash = hashToken(token);
    const found = await findNoticeOfLink(db, tokenHash);
    if (!found) throw gone();
    const { account_id: accountId } = found;
    const { brand, ended } = await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      const notice = await spendNoticeLink(trx, tokenHash);
      if (!notice) throw gone();
      // Who reads the messages of the account outranks who knows its password.
      await updatePasswordDoubt(trx, accountId, now());
      const { brand } = notice;
      return { brand, ...(await disown(trx, found, { brand, facts })) };
    });
    events.emit('activity.disputed', { accountId, brand });
    if (ended) events.emit('session.ended', { accountId, brand });
    return { sessionEnded: ended };
  },
});
