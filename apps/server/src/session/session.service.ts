import type { Locale, Session } from '@candela/contract';
import type { Kysely } from 'kysely';
import { updateSessionEpoch } from '../account/account.repository.ts';
import { insertLogouts } from '../backchannel-logout/backchannel-logout.repository.ts';
import { readDevice } from '../browser/device-facts.ts';
import { databaseNow } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { deleteDeviceAccountsOf } from '../device/device-account.repository.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { deleteBoundGrants } from '../grant/grant.repository.ts';
import { hashToken } from '../opaque-token.ts';
import { readCursor, toPage } from '../paging/page-cursor.ts';
import {
  deleteSessions,
  findSessionOfCookie,
  listSessions,
  lockSessions,
  type SessionChoice,
  type SessionCookie,
  touchSession,
} from './session.repository.ts';
import type { SessionRow } from './session.table.ts';
import type { SessionKey } from './session-key.ts';
import { SESSION_SECONDS } from './session-lifetime.ts';

const PAGE = 20;
/** People see the last access to the minute. */
const ACCESS_GRAIN_MS = 60_000;

/** The browser's own session, as the account API knows it. */
export interface CurrentSession extends SessionKey {
  accountId: string;
  /** The language of the account. */
  locale: Locale;
  /** When the person last proved who they are; single sign-on and quick login do not move it. */
  signedInAt: Date;
  lastAccessedAt: Date;
  /** `Proof` of that sign-in; null where it is not known. */
  provenBy: string | null;
  /** What its owner sees of it. */
  describe(): Session;
}

const endOf = ({ created_at, expires_at }: SessionRow): Date =>
  new Date(Math.min(expires_at.getTime(), created_at.getTime() + SESSION_SECONDS * 1000));

const toSession = (row: SessionRow, current: boolean): Session => ({
  id: row.uid,
  current,
  createdAt: row.created_at.toISOString(),
  lastAccessedAt: row.last_accessed_at.toISOString(),
  expiresAt: endOf(row).toISOString(),
  locale: row.locale,
  ...readDevice(row.user_agent, row.client_hints),
});

const toCurrentSession = (
  row: SessionRow & { account_locale: Locale },
  accountId: string,
): CurrentSession => ({
  brand: row.brand,
  uid: row.uid,
  accountId,
  locale: row.account_locale,
  signedInAt: new Date(Number(row.payload.loginTs ?? 0) * 1000),
  lastAccessedAt: row.last_accessed_at,
  provenBy: row.proven_by,
  describe: () => toSession(row, true),
});

/**
 * Ends sessions in the transaction of the caller: each goes with the grants that hang on it, and its clients
 * are to be told; links stay (design, "What ends what").
 */
export const endSessionsOf = async (
  trx: Kysely<Database>,
  accountId: string,
  which: SessionChoice,
): Promise<SessionKey[]> => {
  // Locked first: a grant that is being made in one of them is waited for, and then found.
  const sessions = await lockSessions(trx, accountId, which);
  await insertLogouts(trx, sessions);
  await deleteBoundGrants(trx, sessions);
  await deleteSessions(trx, sessions);
  return sessions;
};

export type SessionService = ReturnType<typeof createSessionService>;

export interface SessionServiceOptions {
  db: Kysely<Database>;
  events: EventSink;
}

export const createSessionService = ({ db, events }: SessionServiceOptions) => {
  return {
    /** The session that a cookie stands for; undefined when it has ended, or its account may not be used. */
    findCurrent: async (cookie: SessionCookie): Promise<CurrentSession | undefined> => {
      const row = await findSessionOfCookie(db, cookie);
      return row?.account_id ? toCurrentSession(row, row.account_id) : undefined;
    },

    /** Notes that the session was used just now. */
    touchSession: async (current: CurrentSession): Promise<void> => {
      if (databaseNow().getTime() - current.lastAccessedAt.getTime() >= ACCESS_GRAIN_MS)
        await touchSession(db, current);
    },

    listSessions: async (
      current: CurrentSession,
      after?: string,
    ): Promise<{ items: Session[]; next?: string }> => {
      const cursor = readCursor(after);
      const choice = { limit: PAGE + 1, after: cursor, except: current.uid };
      const rows = await listSessions(db, current.accountId, choice);
      const { page, ...next } = toPage(rows, PAGE, ({ uid }) => uid);
      const others = page.map((row) => toSession(row, false));
      return { items: cursor ? others : [current.describe(), ...others], ...next };
    },

    /** @throws AppError not_found for one that is not the account's, exactly as for one that is nobody's. */
    endSession: async (accountId: string, uid: string): Promise<void> => {
      const [ended] = await db.transaction().execute((trx) => endSessionsOf(trx, accountId, { uid }));
      if (!ended) throw new AppError('not_found');
      events.emit('session.ended', { accountId, brand: ended.brand });
    },

    /** All, or all but the caller's; every browser but that of `device` forgets the account. */
    endSessions: async (
      current: CurrentSession,
      { keepCurrent, device }: { keepCurrent: boolean; device: string | undefined },
    ): Promise<void> => {
      const which = keepCurrent ? { except: current.uid } : {};
      const { accountId, brand } = current;
      const ended = await db.transaction().execute(async (trx) => {
        // A sign-in that was proven and is not taken up yet ends with them.
        await updateSessionEpoch(trx, accountId);
        await deleteDeviceAccountsOf(trx, accountId, device && hashToken(device));
        return endSessionsOf(trx, accountId, which);
      });
      events.emit('sessions.ended', { accountId, brand, count: ended.length });
    },
  };
};
