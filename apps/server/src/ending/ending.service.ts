import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transact.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { hashToken } from '../opaque-token.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { end } from './end.ts';
import { ends } from './what-ends-what.ts';

/** What people end of their own account: sessions and authorizations. */
export interface EndingService {
  /**
   * Ends one session of the account; its uid is its id in the list of sessions.
   * @throws AppError not_found for a session of another account exactly as for one that does not exist
   */
  endSession(accountId: string, uid: string): Promise<void>;
  /**
   * Ends all sessions of the account, or all but the current one.
   * @param browserId the value of the pre-session cookie: every other browser forgets the account
   */
  endSessions(
    current: CurrentSession,
    options: { keepCurrent: boolean; browserId: string | undefined },
  ): Promise<void>;
  /**
   * Withdraws one authorization; its id is that of its grant.
   * @throws AppError not_found for a grant of another account exactly as for one that does not exist
   */
  withdrawAuthorization(accountId: string, id: string): Promise<void>;
  withdrawAuthorizations(accountId: string): Promise<void>;
}

export interface EndingServiceOptions {
  db: Kysely<Database>;
  events: EventSink;
}

export const createEndingService = ({ db, events }: EndingServiceOptions): EndingService => ({
  endSession: async (accountId, uid) => {
    const { sessions } = await inTransaction(db, (trx) =>
      end(trx, ends.sessionEnded, { accountId, sessionUid: uid }),
    );
    const [ended] = sessions;
    if (!ended) throw new AppError('not_found');
    events.emit('session.ended', { accountId, brand: ended.brand });
  },

  endSessions: async ({ accountId, brand, uid }, { keepCurrent, browserId }) => {
    const row = keepCurrent ? ends.otherSessionsEnded : ends.allSessionsEnded;
    const subject = { accountId, sessionUid: uid, browserHash: browserId && hashToken(browserId) };
    const { sessions } = await inTransaction(db, (trx) => end(trx, row, subject));
    events.emit('sessions.ended', { accountId, brand, count: sessions.length });
  },

  withdrawAuthorization: async (accountId, id) => {
    const { grants } = await inTransaction(db, (trx) =>
      end(trx, ends.grantWithdrawn, { accountId, grantId: id }),
    );
    const [withdrawn] = grants;
    if (!withdrawn) throw new AppError('not_found');
    const { brand, client_id: clientId } = withdrawn;
    events.emit('authorization.withdrawn', { accountId, clientId, brand });
  },

  withdrawAuthorizations: async (accountId) => {
    const { grants } = await inTransaction(db, (trx) => end(trx, ends.allGrantsWithdrawn, { accountId }));
    for (const { brand, client_id: clientId } of grants)
      events.emit('authorization.withdrawn', { accountId, clientId, brand });
  },
});
