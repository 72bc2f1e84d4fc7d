import type { Session } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { deleteBoundGrants } from '../grant/grant.repository.ts';
import { readUserAgent } from './device-facts.ts';
import { readCursor, writeCursor } from './page-cursor.ts';
import {
  deleteSessions,
  findSession,
  listSessions,
  lockSessions,
  type SessionChoice,
  type SessionKey,
  touchSession,
} from './session.repository.ts';
import type { SessionRow } from './session.table.ts';

const PAGE = 20;

/** The browser's own session, as the account API knows it. */
export interface CurrentSession {
  brand: string;
  uid: string;
  accountId: string;
}

const toSession = (row: SessionRow, current: boolean): Session => ({
  id: row.uid,
  current,
  createdAt: row.created_at.toISOString(),
  lastAccessedAt: row.last_accessed_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  locale: row.locale,
  ...readUserAgent(row.user_agent),
});

/**
 * Ends sessions in the transaction of the caller: each goes with the grants that hang on it; links stay
 * (design, "What ends what").
 */
export const endSessionsOf = async (
  trx: Kysely<Database>,
  accountId: string,
  which: SessionChoice,
): Promise<SessionKey[]> => {
  // Locked first: a grant that is being made in one of them is waited for, and then found.
  const sessions = await lockSessions(trx, accountId, which);
  await deleteBoundGrants(trx, sessions);
  await deleteSessions(trx, sessions);
  return sessions;
};

export type SessionService = ReturnType<typeof createSessionService>;

export const createSessionService = ({ db }: { db: Kysely<Database> }) => {
  const end = (accountId: string, which: SessionChoice) =>
    db.transaction().execute((trx) => endSessionsOf(trx, accountId, which));

  return {
    listSessions: async (
      current: CurrentSession,
      after?: string,
    ): Promise<{ items: Session[]; next?: string }> => {
      const cursor = readCursor(after);
      const rows = await listSessions(db, current.accountId, {
        limit: PAGE + 1,
        after: cursor,
        except: current.uid,
      });
      const own = cursor ? undefined : await findSession(db, current.brand, current.uid);
      const page = rows.slice(0, PAGE);
      const last = page.at(-1);
      return {
        items: [...(own ? [toSession(own, true)] : []), ...page.map((row) => toSession(row, false))],
        ...(rows.length > PAGE && last && { next: writeCursor(last.cursor_at, last.uid) }),
      };
    },

    /** @throws AppError not_found for one that is not the account's, exactly as for one that is nobody's. */
    endSession: async (accountId: string, uid: string): Promise<void> => {
      const ended = await end(accountId, { uid });
      if (ended.length === 0) throw new AppError('not_found');
    },

    endSessions: async (
      current: CurrentSession,
      { keepCurrent }: { keepCurrent: boolean },
    ): Promise<void> => {
      await end(current.accountId, keepCurrent ? { except: current.uid } : {});
    },

    touchSession: ({ brand, uid }: CurrentSession) => touchSession(db, brand, uid),
  };
};
