import type { Locale, Session } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import { findTimeZones } from '../activity/activity.repository.ts';
import { findSessionOfCookie, listSessions, type SessionCookie, touchSession } from './session.repository.ts';
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
  /** The class of that sign-in. */
  acr: string | undefined;
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
  ...readBrowserFacts(row.user_agent, row.client_hints),
});

/** The sessions with the time zones that the browsers told at their sign-ins. */
const withTimeZones = async (
  db: Kysely<Database>,
  accountId: string,
  sessions: readonly Session[],
): Promise<readonly Session[]> => {
  if (sessions.length === 0) return sessions;
  const since = new Date(Math.min(...sessions.map(({ createdAt }) => Date.parse(createdAt))));
  const zones = await findTimeZones(db, { accountId, uids: sessions.map(({ id }) => id), since });
  return sessions.map((session) => {
    const timeZone = zones.get(session.id);
    return timeZone === undefined ? session : { ...session, timeZone };
  });
};

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
  acr: typeof row.payload.acr === 'string' ? row.payload.acr : undefined,
  provenBy: row.proven_by,
  describe: () => toSession(row, true),
});

/** The session of a browser, and the list of all sessions of its account. */
export interface SessionService {
  /** The session of a cookie; undefined when it has ended, or its account may not be used. */
  findCurrent(cookie: SessionCookie): Promise<CurrentSession | undefined>;
  /** Notes that the session was used just now. */
  touchSession(current: CurrentSession): Promise<void>;
  /** The current session first, then the others, newest first. `after` is the `next` of an earlier page. */
  listSessions(current: CurrentSession, after?: string): Promise<{ items: Session[]; next?: string }>;
  /** The newest sessions of an account, for staff; at most 20. */
  listOf(accountId: string): Promise<Session[]>;
}

export const createSessionService = ({ db }: { db: Kysely<Database> }): SessionService => ({
  findCurrent: async (cookie) => {
    const row = await findSessionOfCookie(db, cookie);
    return row?.account_id ? toCurrentSession(row, row.account_id) : undefined;
  },

  touchSession: async (current) => {
    if (databaseNow().getTime() - current.lastAccessedAt.getTime() >= ACCESS_GRAIN_MS)
      await touchSession(db, current);
  },

  listSessions: async (current, after) => {
    const cursor = readCursor(after);
    const choice = { limit: PAGE + 1, after: cursor, except: current.uid };
    const rows = await listSessions(db, current.accountId, choice);
    const { page, ...next } = toPage(rows, PAGE, ({ uid }) => uid);
    const others = page.map((row) => toSession(row, false));
    const items = cursor ? others : [current.describe(), ...others];
    return { items: [...(await withTimeZones(db, current.accountId, items))], ...next };
  },

  listOf: async (accountId) => {
    const rows = await listSessions(db, accountId, { limit: PAGE, except: '' });
    const items = rows.map((row) => toSession(row, false));
    return [...(await withTimeZones(db, accountId, items))];
  },
});
