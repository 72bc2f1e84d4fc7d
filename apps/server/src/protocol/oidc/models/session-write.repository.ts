import { sql } from 'kysely';
import type { Param } from '../../../ground/db/statement.ts';
import { insertWhere, json, text, time } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

export interface SessionKey {
  brand: string;
  uid: string;
}

interface StoredSession extends SessionKey {
  idHash: string;
  accountId: string | null;
  payload: string;
  userAgent: string;
  clientHints: string | null;
  address: string;
  locale: string;
  provenBy: string | null;
  expiresAt: number;
}

const changingColumns = (param: Param<StoredSession>) => ({
  id_hash: text(param('idHash')),
  account_id: text(param('accountId')),
  payload: json(param('payload')),
  user_agent: text(param('userAgent')),
  client_hints: json(param('clientHints')),
  address: text(param('address')),
  locale: text(param('locale')),
  expires_at: time(param('expiresAt')),
});

export const insertSession = defineWrite<StoredSession>((db, param, guard) =>
  insertWhere(
    db,
    'session',
    {
      brand: text(param('brand')),
      uid: text(param('uid')),
      proven_by: text(param('provenBy')),
      ...changingColumns(param),
    },
    guard,
  ),
);

interface ChangedSession extends StoredSession {
  /** The merge patch of the payload's authorizations, as JSON. */
  authorizations: string;
}

/**
 * The payload with the apps that other requests wrote meanwhile: two pages may sign in to two apps at the same moment, and
 * both apps are told when the session ends. A stored session never changes its account, so all of them are one person's.
 */
const mergedPayload = (
  param: Param<ChangedSession>,
) => sql<string>`${json(param('payload'))} || jsonb_build_object(
  'authorizations',
  jsonb_strip_nulls(coalesce(session.payload -> 'authorizations', '{}') || ${json(param('authorizations'))})
)`;

/** An update, never an insert: a session that was ended meanwhile stays ended. */
export const updateSession = defineWrite<ChangedSession>((db, param, guard) =>
  db
    .updateTable('session')
    .set({
      ...changingColumns(param),
      payload: mergedPayload(param),
      proven_by: sql`coalesce(${text(param('provenBy'))}, session.proven_by)`,
      last_accessed_at: sql`now()`,
    })
    .where('brand', '=', param('brand'))
    .where('uid', '=', param('uid'))
    .where(guard),
);
