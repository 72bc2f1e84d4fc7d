import { randomBytes } from 'node:crypto';
import type { ActivityDetail, ActivityKind } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { RequestFacts } from '../browser/request-facts.ts';
import type { Database } from '../db/database.ts';

/** Something that happened to an account. */
export interface NewActivity {
  accountId: string;
  kind: ActivityKind;
  /** Left out where a session says it. */
  brand?: string | undefined;
  /** The session in which it happened. Its browser is noted, unless `facts` say more. */
  session?: { brand: string; uid: string } | undefined;
  clientId?: string | undefined;
  /** The browser of the request. */
  facts?: Pick<RequestFacts, 'userAgent' | 'clientHints' | 'timeZone'> | undefined;
  /** What its sentence names. Contacts are masked before. */
  detail?: ActivityDetail | undefined;
}

export const createActivityId = (): string => randomBytes(16).toString('base64url');

/**
 * Notes what happened, in the transaction that does it. Call it before the session ends in which it happened: its
 * browser is read from the session.
 */
export const insertActivity = async (
  trx: Kysely<Database>,
  { accountId, kind, session, brand = session?.brand, clientId, facts, detail }: NewActivity,
): Promise<void> => {
  const ofSession = (column: 'user_agent' | 'client_hints') =>
    sql`(select ${sql.ref(column)} from session
      where brand = ${session?.brand ?? null}::text and uid = ${session?.uid ?? null}::text)`;
  await sql`
    insert into activity (
      id, account_id, kind, brand, session_uid, client_id, user_agent, client_hints, time_zone, detail)
    values (
      ${createActivityId()}, ${accountId}, ${kind}, ${brand ?? null}, ${session?.uid ?? null}, ${clientId ?? null},
      ${facts ? facts.userAgent : sql`coalesce(${ofSession('user_agent')}, '')`},
      ${facts ? sql`${facts.clientHints}::jsonb` : ofSession('client_hints')},
      ${facts?.timeZone ?? null},
      ${detail ? JSON.stringify(detail) : null}::jsonb)`.execute(trx);
};
