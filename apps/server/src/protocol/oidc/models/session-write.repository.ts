import { sql } from 'kysely';
import type { Param } from '../../../ground/db/statement.ts';
import { insertWhere, json, text, time } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

export interface SessionKey {
  brand: string;
  uid: string;
}

interface WrittenSession extends SessionKey {
  idHash: string;
  userAgent: string;
  clientHints: string | null;
  address: string;
  locale: string;
  provenBy: string | null;
  expiresAt: number;
}

const changingColumns = (param: Param<WrittenSession>) => ({
  user_agent: text(param('userAgent')),
  client_hints: json(param('clientHints')),
  address: text(param('address')),
  locale: text(param('locale')),
  expires_at: time(param('expiresAt')),
});

interface NewSession extends WrittenSession {
  accountId: string | null;
  /** As JSON. */
  payload: string;
}

export const insertSession = defineWrite<NewSession>((db, param, guard) =>
  insertWhere(
    db,
    'session',
    {
      brand: text(param('brand')),
      uid: text(param('uid')),
      id_hash: text(param('idHash')),
      account_id: text(param('accountId')),
      payload: json(param('payload')),
      proven_by: text(param('provenBy')),
      ...changingColumns(param),
    },
    guard,
  ),
);

/** What a request changes of the payload: merge patches, as JSON. */
interface ChangedSession extends WrittenSession {
  /** Whether the request gives the session the id; otherwise it is the one that it read. */
  isRenewed: boolean;
  /** By client ID. */
  authorizations: string;
  /** The form, sealed with the id. */
  form: string;
  members: string;
}

const hasId = (param: Param<ChangedSession>) =>
  sql<boolean>`(cast(${param('isRenewed')} as boolean) or session.id_hash = ${text(param('idHash'))})`;

/**
 * The payload with what the request changes, and with what other requests wrote meanwhile: two pages may sign in to two
 * apps at the same moment, and both apps are told when the session ends. Only the holder of the session's id reads its
 * form, so the form of a request whose id is not the session's is left out.
 */
const mergedPayload = (
  param: Param<ChangedSession>,
) => sql<string>`jsonb_strip_nulls(session.payload || ${json(param('members'))} ||
  case when ${hasId(param)} then ${json(param('form'))} else '{}' end ||
  jsonb_build_object(
    'authorizations',
    coalesce(session.payload -> 'authorizations', '{}') || ${json(param('authorizations'))}
  ))`;

/**
 * An update, never an insert: a session that was ended meanwhile stays ended. Only a sign-in sets the id, so that the
 * cookie from before it stays worthless. Of two at once the later one does: its answer is the one that a browser waits
 * for, which leaves the first where a person presses twice. A stored session never changes its account.
 */
export const updateSession = defineWrite<ChangedSession>((db, param, guard) =>
  db
    .updateTable('session')
    .set({
      ...changingColumns(param),
      id_hash: sql`case when ${hasId(param)} then ${text(param('idHash'))} else session.id_hash end`,
      payload: mergedPayload(param),
      proven_by: sql`coalesce(${text(param('provenBy'))}, session.proven_by)`,
      last_accessed_at: sql`now()`,
    })
    .where('brand', '=', param('brand'))
    .where('uid', '=', param('uid'))
    .where(guard)
    .returning(sql<boolean>`session.id_hash = ${text(param('idHash'))}`.as('renewed')),
);
