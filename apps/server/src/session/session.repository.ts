import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { SessionRow } from './session.table.ts';

export interface SessionCursor {
  createdAt: string;
  id: string;
}

export const findSession = (
  db: Kysely<Database>,
  brand: string,
  uid: string,
): Promise<SessionRow | undefined> =>
  db.selectFrom('session').selectAll().where('brand', '=', brand).where('uid', '=', uid).executeTakeFirst();

/** The account's live sessions, newest first, without the one of `except`. */
export const listSessions = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after, except }: { limit: number; after?: SessionCursor | undefined; except?: string | undefined },
): Promise<(SessionRow & { cursor_at: string })[]> => {
  let query = db
    .selectFrom('session')
    .selectAll()
    .select(sql<string>`cast(created_at as text)`.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .limit(limit);
  if (except) query = query.where('uid', '!=', except);
  if (!after) return query.execute();
  const at = sql<Date>`cast(${after.createdAt} as timestamptz)`;
  return query
    .where((where) =>
      where.or([
        where('created_at', '<', at),
        where.and([where('created_at', '=', at), where('uid', '>', after.id)]),
      ]),
    )
    .execute();
};

/** Which of an account's sessions: one, all but one, or all. */
export interface SessionChoice {
  uid?: string;
  except?: string;
}

export interface SessionKey {
  brand: string;
  uid: string;
}

/** Locks the account's sessions that fit, so that no grant can be made in them any more. */
export const lockSessions = (
  db: Kysely<Database>,
  accountId: string,
  { uid, except }: SessionChoice,
): Promise<SessionKey[]> => {
  let query = db.selectFrom('session').select(['brand', 'uid']).where('account_id', '=', accountId);
  if (uid !== undefined) query = query.where('uid', '=', uid);
  if (except !== undefined) query = query.where('uid', '!=', except);
  return query.orderBy('brand').orderBy('uid').forUpdate().execute();
};

export const deleteSessions = async (
  db: Kysely<Database>,
  sessions: readonly SessionKey[],
): Promise<void> => {
  for (const { brand, uid } of sessions) {
    await db.deleteFrom('session').where('brand', '=', brand).where('uid', '=', uid).execute();
  }
};

/** Notes an access, where the last one noted is a minute old: people see it no finer. */
export const touchSession = async (db: Kysely<Database>, brand: string, uid: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ last_accessed_at: sql`now()` })
    .where('brand', '=', brand)
    .where('uid', '=', uid)
    .where('last_accessed_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute();
};
