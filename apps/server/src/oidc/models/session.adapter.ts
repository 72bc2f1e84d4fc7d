import { hash } from 'node:crypto';
import { type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { type AccountFacts, accountFactsOf } from '../../account/account-facts.repository.ts';
import { logoutsOfSessions } from '../../backchannel-logout/backchannel-logout.repository.ts';
import { askPatiently } from '../../db/ask-patiently.ts';
import type { Database } from '../../db/database.ts';
import { boundGrantsOfSessions } from '../../grant/grant.repository.ts';
import { hashToken } from '../../opaque-token.ts';
import { type SessionRow, sessionColumns } from '../../session/session.table.ts';
import { SESSION_SECONDS } from '../../session/session-lifetime.ts';
import { openForm, sealForm } from '../request/session-form.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { compileOnce, type Values } from '../storage/statement.ts';
import { currentUnit, defineWrite, queueWrite, type UnitOfWork } from '../storage/unit.ts';
import { noteAccount } from '../subject/claims.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** People see the last access to the minute, and the end slides with it; for less a session is not written. */
const GRAIN_SECONDS = 60;

const toStored = ({ jti: _jti, exp: _exp, iat: _iat, ...payload }: AdapterPayload) => payload;

/** A copy to its depth: the engine changes what it is handed, and the row is what it is compared with. */
const toPayload = (row: SessionRow, id: string | undefined): AdapterPayload => ({
  ...structuredClone(row.payload),
  ...(id !== undefined && { jti: id }),
  exp: toSeconds(row.expires_at),
  iat: toSeconds(row.created_at),
});

const fingerprint = (payload: Record<string, unknown>) =>
  hash('sha256', JSON.stringify(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1))), 'base64url');

const endKeys = (uid: string) => {
  const name = `Session:${uid}`;
  return [name, `${name}:lock`, `${name}:logouts`, `${name}:bound`];
};

interface SessionKey extends Values {
  brand: string;
  uid: string;
}

const lockSession = defineWrite<SessionKey>((db, { brand, uid }) =>
  db.selectFrom('session').select('uid').where('brand', '=', brand).where('uid', '=', uid).forUpdate(),
);

const insertLogouts = defineWrite<SessionKey>((db, { brand, uid }) =>
  logoutsOfSessions(db, { brand, uids: sql`array[cast(${uid} as text)]` }),
);

const deleteSession = defineWrite<SessionKey>((db, { brand, uid }) =>
  db.deleteFrom('session').where('brand', '=', brand).where('uid', '=', uid),
);

const deleteBoundGrants = defineWrite<SessionKey>((db, { brand, uid }) =>
  boundGrantsOfSessions(db, { brand, uids: sql`array[cast(${uid} as text)]` }),
);

/**
 * Ends a session: the row goes, and with it the grants made in it that have no refresh token; its clients
 * are to be told.
 */
const queueEnd = (unit: UnitOfWork, key: SessionKey) => {
  const name = `Session:${key.uid}`;
  // A grant that another request is making in it is waited for, and then found.
  queueWrite(unit, `${name}:lock`, 'lock', lockSession, key);
  queueWrite(unit, `${name}:logouts`, 'state', insertLogouts, key);
  queueWrite(unit, name, 'state', deleteSession, key);
  queueWrite(unit, `${name}:bound`, 'state', deleteBoundGrants, key);
};

const requireAccount = defineWrite<{ accountId: string; epoch: number }>((db, { accountId, epoch }) =>
  db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('session_epoch', '=', epoch)
    .where('status', '=', 'active')
    .forShare(),
);

/**
 * A session of a fresh sign-in needs the account as the sign-in found it: one that began with the old
 * password ends here, however the two are interleaved.
 */
const requireEpoch = (unit: UnitOfWork, held: Record<string, unknown> | undefined) => {
  const login = Provider.ctx?.oidc?.result?.login;
  if (typeof login?.epoch !== 'number') return;
  // An answer to a later prompt repeats the sign-in; the session that holds it already was checked then.
  if (held?.accountId === login.accountId && held?.loginTs === login.ts) return;
  const { accountId, epoch } = login;
  queueWrite(unit, `Account:${accountId}:epoch`, 'require', requireAccount, { accountId, epoch });
};

/** What proved the sign-in that this request takes up; undefined where it takes up none. */
const proofOfSignIn = (): string | undefined => {
  const login = Provider.ctx?.oidc?.result?.login;
  if (!login) return undefined;
  // One that an earlier release answered does not say: it proves nothing, and so does what was known before.
  return typeof login.provenBy === 'string' ? login.provenBy : '';
};

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

const changingColumns = (values: StoredSession) => ({
  id_hash: text(values.idHash),
  account_id: text(values.accountId),
  payload: json(values.payload),
  user_agent: text(values.userAgent),
  client_hints: json(values.clientHints),
  address: text(values.address),
  locale: text(values.locale),
  expires_at: time(values.expiresAt),
});

const insertSession = defineWrite<StoredSession>((db, values, guard) =>
  insertWhere(
    db,
    'session',
    {
      brand: text(values.brand),
      uid: text(values.uid),
      proven_by: text(values.provenBy),
      ...changingColumns(values),
    },
    guard,
  ),
);

/** Never an insert: a session that was ended meanwhile stays ended. */
const updateSession = defineWrite<StoredSession>((db, values, guard) =>
  db
    .updateTable('session')
    .set({
      ...changingColumns(values),
      proven_by: sql`coalesce(${text(values.provenBy)}, session.proven_by)`,
      last_accessed_at: sql`now()`,
    })
    .where('brand', '=', values.brand)
    .where('uid', '=', values.uid)
    .where(guard ?? sql<SqlBool>`true`),
);

const selectSession = (db: QueryCreator<Database>, brand: string) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .select(accountFactsOf('session.account_id').as('account'))
    .where('brand', '=', brand);

const findById = compileOnce((db, { brand, idHash }: { brand: string; idHash: string }) =>
  selectSession(db, brand).where('id_hash', '=', idHash),
);

const findByUid = compileOnce((db, { brand, uid }: { brand: string; uid: string }) =>
  selectSession(db, brand).where('uid', '=', uid),
);

/**
 * Whether the session that the unit is about to write is there: asked after the database was lost over it. Where
 * it is, all of the unit was written. Undefined where it writes no session under an id of its own.
 */
export const createSessionProof = (
  unit: UnitOfWork,
): ((db: Kysely<Database>) => Promise<boolean>) | undefined => {
  const values = unit.writes.get(`Session:${unit.sessionUid}`)?.values as Partial<StoredSession> | undefined;
  const { brand, idHash } = values ?? {};
  const before = unit.sessions.get(unit.sessionUid ?? '')?.id;
  if (!brand || !idHash || (before !== undefined && hashToken(before) === idHash)) return undefined;
  return async (db) => {
    const found = await askPatiently(async () => (await findById(db, { brand, idHash }))[0]);
    return found !== undefined;
  };
};

export const createSessionAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const remember = (
    row: (SessionRow & { account: AccountFacts | null }) | undefined,
    id?: string,
  ): AdapterPayload | undefined => {
    if (!row) return undefined;
    const unit = currentUnit();
    const opened = id === undefined ? row : { ...row, payload: openForm(row.payload, id) };
    unit?.sessions.set(row.uid, { id, row: opened });
    noteAccount(unit, row.account);
    return toPayload(opened, id);
  };

  return {
    find: async (id) => remember((await findById(db, { brand, idHash: hashToken(id) }))[0], id),

    /** The id of a session found by uid is not known: it cannot be saved. */
    findByUid: async (uid) => remember((await findByUid(db, { brand, uid }))[0]),

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      const uid = payload.uid;
      if (!unit || !uid) throw new Error('a session is saved inside a unit of work and has a uid');
      const stored = toStored(payload);
      const known = unit.sessions.get(uid);
      // Pages work for who is signed in nowhere, and nothing is kept of it.
      if (!known && payload.accountId === undefined) {
        unit.sessionless = true;
        return;
      }
      unit.sessionless = false;
      for (const key of endKeys(uid)) unit.writes.delete(key);
      unit.sessionUid = uid;
      requireEpoch(unit, known?.row.payload);

      const fresh =
        known &&
        endIn(0) - toSeconds(known.row.last_accessed_at) < GRAIN_SECONDS &&
        // The account's own pages note an access too, and slide nothing.
        endIn(expiresIn) - toSeconds(known.row.expires_at) < GRAIN_SECONDS;
      if (known?.id === id && fresh && fingerprint(known.row.payload) === fingerprint(stored)) return;
      queueWrite(unit, `Session:${uid}`, 'state', known ? updateSession : insertSession, {
        brand,
        uid,
        idHash: hashToken(id),
        accountId: payload.accountId ?? null,
        payload: toJson(sealForm(stored, id)),
        ...unit.facts,
        provenBy: proofOfSignIn() ?? null,
        // However much it is used, it never outlasts what a session may.
        expiresAt: Math.min(
          endIn(expiresIn),
          (known ? toSeconds(known.row.created_at) : endIn(0)) + SESSION_SECONDS,
        ),
      });
    },

    destroy: async (id) => {
      const unit = currentUnit();
      const known = [...(unit?.sessions ?? [])].find(([, session]) => session.id === id);
      if (unit && known) queueEnd(unit, { brand, uid: known[0] });
    },
  };
};
