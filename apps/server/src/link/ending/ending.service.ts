import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { findSessionFacts } from '../../person/session/session.repository.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { EndedGrant } from '../grant/ended-grant.ts';
import { type Ended, end } from './end.ts';
import { ends } from './what-ends-what.ts';
import { insertWithdrawals } from './withdrawals.ts';

type SessionOfAccount = Pick<CurrentSession, 'accountId' | 'brand' | 'uid'>;

/** What people end of their own account: sessions and authorizations. */
export interface EndingService {
  /**
   * Ends one session of the account, for the session `by`; its uid is its id in the list of sessions.
   * @throws AppError not_found for a session of another account exactly as for one that does not exist
   */
  endSession(by: SessionOfAccount, uid: string): Promise<void>;
  /**
   * Ends all sessions of the account, or all but the current one.
   * @param browserId the value of the pre-session cookie: every other browser forgets the account
   */
  endSessions(
    by: SessionOfAccount,
    options: { keepCurrent: boolean; browserId: string | undefined },
  ): Promise<void>;
  /**
   * Withdraws one authorization; its id is that of its grant.
   * @throws AppError not_found for a grant of another account exactly as for one that does not exist
   */
  withdrawAuthorization(by: SessionOfAccount, id: string): Promise<void>;
  withdrawAuthorizations(by: SessionOfAccount): Promise<void>;
  /** Ends all sessions of an account for staff, and answers how many; every browser forgets the account. */
  endSessionsFor(accountId: string): Promise<number>;
  /**
   * Withdraws one authorization for staff, and answers whose it was.
   * @throws AppError not_found as `withdrawAuthorization`
   */
  withdrawFor(accountId: string, id: string): Promise<{ clientId: string }>;
}

export interface EndingServiceOptions {
  db: Kysely<Database>;
  events: EventSink;
}

interface AllSessions {
  accountId: string;
  by?: SessionOfAccount;
  keepCurrent?: boolean;
  browserId?: string | undefined;
}

/** Ends a session, and notes which browser was signed out where it is not that of `by`. */
const endAndNote = async (trx: Kysely<Database>, by: SessionOfAccount, uid: string): Promise<Ended> => {
  const { accountId } = by;
  const facts = await findSessionFacts(trx, by);
  const other = uid === by.uid ? undefined : await findSessionFacts(trx, { accountId, uid });
  const ended = await end(trx, ends.sessionEnded, { accountId, sessionUid: uid });
  if (ended.sessions.length === 0) return ended;
  const described = other && readBrowserFacts(other.userAgent, other.hints);
  const detail = described && { ended: { browser: described.browser.name, os: described.os.name } };
  await noteActivity(trx, { accountId, kind: 'session_ended', session: by, facts, detail });
  return ended;
};

/** Ends sessions and notes how many, in the session `by` or in none. */
const endAllAndNote = async (
  trx: Kysely<Database>,
  { accountId, by, keepCurrent = false, browserId }: AllSessions,
): Promise<Ended> => {
  // The account first, in the order of locks of `end`.
  await lockAccount(trx, accountId);
  const facts = by && (await findSessionFacts(trx, by));
  const row = keepCurrent ? ends.otherSessionsEnded : ends.allSessionsEnded;
  const browserHash = browserId && hashToken(browserId);
  const ended = await end(trx, row, { accountId, sessionUid: by?.uid ?? '', browserHash });
  const total = ended.sessions.length;
  if (total > 0)
    await noteActivity(trx, { accountId, kind: 'sessions_ended', session: by, facts, detail: { total } });
  return ended;
};

const withdrawOne = async (
  trx: Kysely<Database>,
  accountId: string,
  { id, session }: { id: string; session?: SessionOfAccount },
): Promise<EndedGrant> => {
  const { grants } = await end(trx, ends.grantWithdrawn, { accountId, grantId: id });
  await insertWithdrawals(trx, { accountId, session }, grants);
  const [withdrawn] = grants;
  if (!withdrawn) throw new AppError('not_found');
  return withdrawn;
};

export const createEndingService = ({ db, events }: EndingServiceOptions): EndingService => ({
  endSession: async (by, uid) => {
    const { accountId } = by;
    const { sessions } = await inTransaction(db, (trx) => endAndNote(trx, by, uid));
    const [ended] = sessions;
    if (!ended) throw new AppError('not_found');
    events.emit('session.ended', { accountId, brand: ended.brand });
  },

  endSessions: async (by, { keepCurrent, browserId }) => {
    const { accountId, brand } = by;
    const { sessions } = await inTransaction(db, (trx) =>
      endAllAndNote(trx, { accountId, by, keepCurrent, browserId }),
    );
    events.emit('sessions.ended', { accountId, brand, count: sessions.length });
  },

  endSessionsFor: async (accountId) => {
    const { sessions } = await inTransaction(db, (trx) => endAllAndNote(trx, { accountId }));
    events.emit('sessions.ended', { accountId, actor: 'operator', count: sessions.length });
    return sessions.length;
  },

  withdrawAuthorization: async (by, id) => {
    const { accountId } = by;
    const { brand, client_id: clientId } = await inTransaction(db, (trx) =>
      withdrawOne(trx, accountId, { id, session: by }),
    );
    events.emit('authorization.withdrawn', { accountId, clientId, brand });
  },

  withdrawFor: async (accountId, id) => {
    const { brand, client_id: clientId } = await inTransaction(db, (trx) =>
      withdrawOne(trx, accountId, { id }),
    );
    events.emit('authorization.withdrawn', { accountId, clientId, brand, actor: 'operator' });
    return { clientId };
  },

  withdrawAuthorizations: async (by) => {
    const { accountId } = by;
    const { grants } = await inTransaction(db, async (trx) => {
      const ended = await end(trx, ends.allGrantsWithdrawn, { accountId });
      await insertWithdrawals(trx, { accountId, session: by }, ended.grants);
      return ended;
    });
    for (const { brand, client_id: clientId } of grants)
      events.emit('authorization.withdrawn', { accountId, clientId, brand });
  },
});
