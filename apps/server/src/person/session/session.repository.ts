import type { Locale } from '@candela/contract';
import { type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';
import type { Database } from '../../ground/db/database.ts';
import { compileOnce, type Param } from '../../ground/db/statement.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import { type SessionRow, sessionColumns } from './session.table.ts';
import type { SessionKey, SessionsOfBrand } from './session-key.ts';
import { SESSION_SECONDS } from './session-lifetime.ts';

/** Used lately enough, and not older than a session may get. */
const isAlive = sql<SqlBool>`session.expires_at > now()
  and session.created_at > now() - make_interval(secs => ${sql.lit(SESSION_SECONDS)})`;

export interface SessionCookie {
  brand: string;
  idHash: string;
}

const selectOfCookie = compileOnce((db, param: Param<SessionCookie>) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select(sessionColumns.map((column) => `session.${column}` as const))
    .select('account.locale as account_locale')
    .where('session.brand', '=', param('brand'))
    .where('session.id_hash', '=', param('idHash'))
    .where(isAlive)
    .where('account.status', '=', 'active'),
);

/** The live session of a cookie, where its account may be used; with the language of the account. */
export const findSessionOfCookie = async (
  db: Kysely<Database>,
  { brand, idHash }: SessionCookie,
): Promise<(SessionRow & { account_locale: Locale }) | undefined> =>
  (await selectOfCookie(db, { brand, idHash }))[0];

/** The account's live sessions, newest first, without the one of `except`. */
export const listSessions = (
  db: Kysely<Database>,
  accountId: string,
  { limit, after, except }: PageChoice & { except: string },
): Promise<(SessionRow & { cursor_at: string })[]> => {
  const query = db
    .selectFrom('session')
    .select(sessionColumns)
    .select(cursorAt.as('cursor_at'))
    .where('account_id', '=', accountId)
    .where('uid', '!=', except)
    .where(isAlive)
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .limit(limit);
  return (after ? query.where(isAfter('uid', after)) : query).execute();
};

export interface SessionFacts {
  userAgent: string;
  hints: ClientHints | null;
  /** The hints as JSON. */
  clientHints: string | null;
}

/** The browser of a session of the account. */
export const findSessionFacts = async (
  db: Kysely<Database>,
  { accountId, uid }: { accountId: string; uid: string },
): Promise<SessionFacts | undefined> => {
  const found = await db
    .selectFrom('session')
    .select(['user_agent', 'client_hints'])
    .where('account_id', '=', accountId)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return (
    found && {
      userAgent: found.user_agent,
      hints: found.client_hints,
      clientHints: found.client_hints && JSON.stringify(found.client_hints),
    }
  );
};

/** Which of an account's sessions: one, all but one, those of a proof, or all. */
export interface SessionChoice {
  uid?: string;
  except?: string;
  /** A word of `proven_by`. */
  provenBy?: string;
}

/** Locks the chosen sessions of the account: no grant is made in them until the transaction ends. */
export const lockSessions = (
  db: Kysely<Database>,
  accountId: string,
  { uid, except, provenBy }: SessionChoice,
): Promise<SessionKey[]> => {
  let query = db.selectFrom('session').select(['brand', 'uid']).where('account_id', '=', accountId);
  if (uid !== undefined) query = query.where('uid', '=', uid);
  if (except !== undefined) query = query.where('uid', '!=', except);
  if (provenBy !== undefined)
    query = query.where(sql<SqlBool>`${provenBy} = any(string_to_array(proven_by, ' '))`);
  return query.orderBy('brand').orderBy('uid').forUpdate().execute();
};

/** Groups sessions by brand: a statement for each of the few brands finds its sessions by an index. */
export const sessionsByBrand = (sessions: readonly SessionKey[]): SessionsOfBrand[] =>
  [...Map.groupBy(sessions, ({ brand }) => brand)].map(([brand, keys]) => ({
    brand,
    uids: sql`cast(${keys.map(({ uid }) => uid)} as text[])`,
  }));

/** The statement that deletes sessions; step-ups go with them. */
export const deletionOfSessions = (db: QueryCreator<Database>, { brand, uids }: SessionsOfBrand) =>
  db.deleteFrom('session').where('brand', '=', brand).where(sql<SqlBool>`uid = any(${uids})`);

/** Notes an access, at most once a minute: people see it to the minute. */
export const touchSession = async (db: Kysely<Database>, { brand, uid }: SessionKey): Promise<void> => {
  await db
    .updateTable('session')
    .set({ last_accessed_at: sql`now()` })
    .where('brand', '=', brand)
    .where('uid', '=', uid)
    .where('last_accessed_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute();
};
