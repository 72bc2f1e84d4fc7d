import { type Expression, type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import { askPatiently } from '../../../ground/db/ask-patiently.ts';
import type { Database } from '../../../ground/db/database.ts';
import { compileOnce, type Param } from '../../../ground/db/statement.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { sessionEnding } from '../../../link/ending/session-ending.ts';
import { type AccountFacts, accountFactsOf } from '../../../person/account/account-facts.repository.ts';
import { type SessionRow, sessionColumns } from '../../../person/session/session.table.ts';
import { SESSION_SECONDS } from '../../../person/session/session-lifetime.ts';
import { signalsOfSessions } from '../../../person/signal/signal.repository.ts';
import { identityOf, passkeyOf, splitProofs } from '../../../person/step-up/proof.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { endIn, text, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import { noteAccount } from '../subject/claims.ts';
import type { AdapterContext, AdapterPayload, Call, ModelAdapter } from './model-adapter.ts';
import { changesOf } from './session-changes.ts';
import { openForm, sealForm } from './session-form.ts';
import { insertSession, type SessionKey, updateSession } from './session-write.repository.ts';
import { noteSignIn, noteSignOut, takesUpSignIn } from './sign-in-note.ts';

/** People see the last access to the minute. A session whose last access and end change by less is not written. */
const GRAIN_SECONDS = 60;

const toStored = ({ jti: _jti, exp: _exp, iat: _iat, ...payload }: AdapterPayload) => payload;

/** A deep copy: the engine changes the payload, and `upsert` compares it with the row. */
const toPayload = (
  { payload, expires_at, created_at }: SessionRow,
  id: string | undefined,
): AdapterPayload => ({
  ...structuredClone(payload),
  ...(id !== undefined && { jti: id }),
  exp: toSeconds(expires_at),
  iat: toSeconds(created_at),
});

const isNothing = (patch: object) => Object.keys(patch).length === 0;

const lockSession = defineWrite<SessionKey>((db, param) =>
  db
    .selectFrom('session')
    .select('uid')
    .where('brand', '=', param('brand'))
    .where('uid', '=', param('uid'))
    .forUpdate(),
);

const named = (param: Param<SessionKey>) => ({
  brand: param('brand'),
  uids: sql<string[]>`array[cast(${param('uid')} as text)]`,
});

const insertSignals = defineWrite<SessionKey>((db, param) =>
  signalsOfSessions(db, { ...named(param), by: 'user' }),
);
const insertLogouts = defineWrite<SessionKey>((db, param) => sessionEnding.logouts(db, named(param)));
const deleteBoundGrants = defineWrite<SessionKey>((db, param) => sessionEnding.grants(db, named(param)));
const deleteSession = defineWrite<SessionKey>((db, param) => sessionEnding.sessions(db, named(param)));

/** Ends a session as `ends.sessionEnded` does. All parts of the statement see the rows as they were before it. */
const queueEnd = (unit: UnitOfWork, key: SessionKey) => {
  const { uid } = key;
  // The session is locked before its grants, in the order of locks of `link/ending/end.ts`. The lock waits for a request
  // that is making a grant in this session; the deletion then finds that grant.
  unit.lock(row.session(uid, 'lock'), lockSession, key);
  unit.keep(row.session(uid, 'signals'), insertSignals, key);
  unit.keep(row.session(uid, 'logouts'), insertLogouts, key);
  noteSignOut(unit, key);
  unit.keep(row.session(uid), deleteSession, key);
  unit.keep(row.session(uid, 'grants'), deleteBoundGrants, key);
  if (uid === unit.sessionUid) unit.proof = undefined;
};

/** A session that the engine destroys and saves again under another id does not end. */
const dropEnd = (unit: UnitOfWork, uid: string) => {
  unit.drop(row.session(uid));
  for (const side of ['lock', 'signals', 'logouts', 'grants', 'activity'] as const)
    unit.drop(row.session(uid, side));
};

/** An answer of an earlier release names no proof. Then nothing is proven, whatever the session had before. */
const provenBy = ({ provenBy: proven }: NonNullable<EngineRequest['signIn']>): string =>
  typeof proven === 'string' ? proven : '';

const requireAccount = defineWrite<{
  accountId: string;
  epoch: number;
  passkeyId: string | null;
  identityId: string | null;
}>((db, param) =>
  db
    .selectFrom('account')
    .select('id')
    .where('id', '=', param('accountId'))
    .where('session_epoch', '=', param('epoch'))
    .where('status', '=', 'active')
    .where(sql<SqlBool>`(${text(param('passkeyId'))} is null or exists (
        select from passkey where passkey.id = ${text(param('passkeyId'))} and passkey.account_id = account.id
      ))`)
    .where(sql<SqlBool>`(${text(param('identityId'))} is null or exists (
        select from federated_identity as way
        where way.id = ${text(param('identityId'))} and way.account_id = account.id and way.closed_at is null
      ))`)
    .forShare(),
);

/**
 * Requires the account to be as the sign-in found it. A sign-in that began with the old password, or by a passkey or a way
 * in through an identity provider that is removed, fails here, however it and the change are interleaved.
 */
const requireEpoch = (unit: UnitOfWork, { signIn: login }: EngineRequest) => {
  if (typeof login?.epoch !== 'number') return;
  const { accountId, epoch } = login;
  const proofs = splitProofs(provenBy(login));
  const [passkeyId = null] = proofs.flatMap((proof) => passkeyOf(proof) ?? []);
  const [identityId = null] = proofs.flatMap((proof) => identityOf(proof) ?? []);
  unit.require(row.account(accountId), requireAccount, { accountId, epoch, passkeyId, identityId });
};

/** The `Proof` of the sign-in that this request takes up; undefined where it takes up none. */
const proofOfSignIn = ({ signIn: login }: EngineRequest): string | undefined => {
  return login && provenBy(login);
};

const selectSession = (db: QueryCreator<Database>, brand: Expression<string>) =>
  db
    .selectFrom('session')
    .select(sessionColumns)
    .select(accountFactsOf('session.account_id').as('account'))
    .where('brand', '=', brand);

const findById = compileOnce((db, param: Param<{ brand: string; idHash: string }>) =>
  selectSession(db, param('brand')).where('id_hash', '=', param('idHash')),
);

const findByUid = compileOnce((db, param: Param<SessionKey>) =>
  selectSession(db, param('brand')).where('uid', '=', param('uid')),
);

/** Proves a unit by the session that it writes under a new id: where the row is there, all of the unit is written. */
const proofOf =
  (key: { brand: string; idHash: string }) =>
  async (db: Kysely<Database>): Promise<boolean> => {
    const found = await askPatiently(async () => (await findById(db, key))[0]);
    return found !== undefined;
  };

type KnownSession = { id: string | undefined; row: SessionRow };

/** Whether the row is recent enough that its last access and its end need no write. */
const isFresh = ({ row: { last_accessed_at, expires_at } }: KnownSession, expiresIn: number): boolean =>
  endIn(0) - toSeconds(last_accessed_at) < GRAIN_SECONDS &&
  // The account pages also note an access, but do not slide the end.
  endIn(expiresIn) - toSeconds(expires_at) < GRAIN_SECONDS;

/** However often a session is used, it lasts no longer than `SESSION_SECONDS`. */
const endOf = (known: KnownSession | undefined, expiresIn: number): number =>
  Math.min(endIn(expiresIn), (known ? toSeconds(known.row.created_at) : endIn(0)) + SESSION_SECONDS);

/** Prepares the unit for a session that is saved: it does not end, and a new sign-in must still hold and is noted. */
const beginSave = ({ unit, request }: Call, { brand, uid }: SessionKey, known: KnownSession | undefined) => {
  unit.leavesCookie = false;
  dropEnd(unit, uid);
  unit.sessionUid = uid;
  unit.proof = undefined;
  // The answer to a later prompt repeats the sign-in. A session that holds this sign-in was checked before.
  if (!takesUpSignIn(request, known?.row.payload)) return;
  requireEpoch(unit, request);
  noteSignIn(unit, request, { brand, uid });
};

interface Saved extends SessionKey {
  id: string;
  stored: ReturnType<typeof toStored>;
  /** In seconds. */
  expiresIn: number;
}

const toColumns = ({ unit, request }: Call, { brand, uid, id, expiresIn }: Saved, known?: KnownSession) => ({
  brand,
  uid,
  idHash: hashToken(id),
  ...unit.facts,
  provenBy: proofOfSignIn(request) ?? null,
  expiresAt: endOf(known, expiresIn),
});

const insert = (call: Call, saved: Saved) => {
  const { stored, id, uid } = saved;
  const columns = toColumns(call, saved);
  call.unit.proof = proofOf(columns);
  call.unit.keep(row.session(uid), insertSession, {
    ...columns,
    accountId: stored.accountId ?? null,
    payload: toJson(sealForm(stored, id)),
  });
};

const update = (call: Call, saved: Saved, known: KnownSession) => {
  const { unit } = call;
  const { stored, id, uid, expiresIn } = saved;
  const isRenewed = known.id !== id;
  const { authorizations, form, members } = changesOf(known.row.payload, stored, isRenewed);
  if (!isRenewed && isFresh(known, expiresIn)) {
    // A cookie that comes late must not replace the one of a sign-in.
    unit.leavesCookie = true;
    if ([authorizations, form, members].every(isNothing)) return;
  }
  const columns = toColumns(call, saved, known);
  if (isRenewed) unit.proof = proofOf(columns);
  unit.renew(row.session(uid), updateSession, {
    ...columns,
    isRenewed,
    authorizations: toJson(authorizations),
    form: toJson(sealForm(form, id)),
    members: toJson(members),
  });
};

export const createSessionAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const remember = (
    { unit }: Call,
    found: (SessionRow & { account: AccountFacts | null }) | undefined,
    id?: string,
  ): AdapterPayload | undefined => {
    if (!found) return undefined;
    const opened = id === undefined ? found : { ...found, payload: openForm(found.payload, id) };
    unit.memo.session.set(found.uid, { id, row: opened });
    noteAccount(unit, found.account);
    return toPayload(opened, id);
  };

  return {
    find: async (id, call) => remember(call, (await findById(db, { brand, idHash: hashToken(id) }))[0], id),

    /** The id of a session that is found by its uid is unknown, so it cannot be saved. */
    findByUid: async (uid, call) => {
      const known = call.unit.memo.session.get(uid);
      return known
        ? toPayload(known.row, undefined)
        : remember(call, (await findByUid(db, { brand, uid }))[0]);
    },

    upsert: async (id, payload, expiresIn, call) => {
      const { unit } = call;
      const { uid } = payload;
      if (!uid) throw new Error('a session has a uid');
      const stored = toStored(payload);
      const known = unit.memo.session.get(uid);
      // A session without an account is not stored; the pages work without it.
      if (!known && payload.accountId === undefined) {
        unit.leavesCookie = true;
        return;
      }
      beginSave(call, { brand, uid }, known);

      if (known) update(call, { brand, uid, id, stored, expiresIn }, known);
      else insert(call, { brand, uid, id, stored, expiresIn });
    },

    destroy: async (id, { unit }) => {
      const known = [...unit.memo.session].find(([, session]) => session.id === id);
      if (known) queueEnd(unit, { brand, uid: known[0] });
    },
  };
};
