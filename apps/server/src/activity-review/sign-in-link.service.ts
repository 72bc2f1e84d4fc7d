import type { SignInNoticed } from '@candela/contract';
import type { Kysely } from 'kysely';
import { lockAccount } from '../account/account.repository.ts';
import { insertActivity, insertDispute } from '../activity/activity.repository.ts';
import { findNoticeOfLink, spendNoticeLink } from '../activity/sign-in-notice.repository.ts';
import { readBrowserFacts } from '../browser/browser-facts.ts';
import type { RequestFacts } from '../browser/request-facts.ts';
import { updatePasswordDoubt } from '../credential/password.repository.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transact.ts';
import { end } from '../ending/end.ts';
import { ends } from '../ending/what-ends-what.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { hashToken } from '../opaque-token.ts';
import { deleteRememberedAccount } from '../remembered-account/remembered-account.repository.ts';
import { deleteTrustOf } from '../trusted-browser/trusted-browser.repository.ts';

/** The link in the notice of a sign-in, which works without a session: it says that it was somebody else. */
export interface SignInLinkService {
  /** @throws AppError not_found once the link is used or over */
  look(token: string): Promise<SignInNoticed>;
  /**
   * Ends the session of the sign-in; its browser forgets the account and is asked for a second factor again, and the password counts as known to somebody
   * else. The link works once.
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
    const { notice, ended } = await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      const notice = await spendNoticeLink(trx, tokenHash);
      if (!notice) throw gone();
      const { activity_id, brand, session_uid: sessionUid, device_hash } = notice;
      if (await insertDispute(trx, activity_id))
        await insertActivity(trx, { accountId, kind: 'disputed', brand, facts });
      await updatePasswordDoubt(trx, accountId, now());
      await deleteRememberedAccount(trx, device_hash, accountId);
      await deleteTrustOf(trx, accountId, device_hash);
      const { sessions } = await end(trx, ends.sessionEnded, { accountId, sessionUid });
      return { notice, ended: sessions.length > 0 };
    });
    const { brand } = notice;
    events.emit('activity.disputed', { accountId, brand });
    if (ended) events.emit('session.ended', { accountId, brand });
    return { sessionEnded: ended };
  },
});
