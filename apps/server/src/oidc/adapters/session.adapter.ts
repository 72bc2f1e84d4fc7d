import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { type AccountFacts, accountFactsOf } from '../../account/account-facts.repository.ts';
import type { SessionRow } from '../../session/session.table.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../adapter.ts';
import { noteAccount } from '../claims.ts';
import { hashId, insertWhere, json, text, time, toSeconds } from '../columns.ts';
import { currentUnit, type UnitOfWork } from '../unit-of-work.ts';

/** People see the last access to the minute; an otherwise unchanged session is not written more often. */
const ACCESS_GRAIN_MS = 60_000;

const toStored = ({ jti: _jti, exp: _exp, iat: _iat, ...payload }: AdapterPayload) => payload;

const toPayload = (row: SessionRow, id: string | undefined): AdapterPayload => ({
  ...row.payload,
  ...(id !== undefined && { jti: id }),
  exp: toSeconds(row.expires_at),
  iat: toSeconds(row.created_at),
});

const fingerprint = (payload: Record<string, unknown>) =>
  hash('sha256', JSON.stringify(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1))), 'base64url');

const endKeys = (uid: string) => [`Session:${uid}`, `Session:${uid}:lock`, `Session:${uid}:bound`];

/** Ends a session: the row goes, and with it the grants made in it that have no refresh token. */
const queueEnd = (unit: UnitOfWork, brand: string, uid: string) => {
  // A grant that another request is making in it is waited for, and then found.
  unit.writes.set(`Session:${uid}:lock`, {
    kind: 'lock',
    statement: (db) =>
      db.selectFrom('session').select('uid').where('brand', '=', brand).where('uid', '=', uid).forUpdate(),
  });
  unit.writes.set(`Session:${uid}`, {
    kind: 'state',
    statement: (db) => db.deleteFrom('session').where('brand', '=', brand).where('uid', '=', uid),
  });
  unit.writes.set(`Session:${uid}:bound`, {
    kind: 'state',
    statement: (db) =>
      db
        .deleteFrom('authorization_grant')
        .where('brand', '=', brand)
        .where('session_uid', '=', uid)
        .where('has_refresh_token', '=', false),
  });
};

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
  unit.writes.set(`Account:${accountId}:epoch`, {
    kind: 'require',
    statement: (db) =>
      db
        .selectFrom('account')
        .select('id')
        .where('id', '=', accountId)
        .where('session_epoch', '=', epoch)
        .where('status', '=', 'active')
        .forShare(),
  });
};

export const createSessionAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const remember = (
    row: (SessionRow & { account: AccountFacts | null }) | undefined,
    id?: string,
  ): AdapterPayload | undefined => {
    if (!row) return undefined;
    const unit = currentUnit();
    unit?.sessions.set(row.uid, { id, row });
    noteAccount(unit, row.account);
    return toPayload(row, id);
  };
  const select = () =>
    db
      .selectFrom('session')
      .selectAll()
      .select(accountFactsOf('session.account_id').as('account'))
      .where('brand', '=', brand);

  return {
    find: async (id) => remember(await select().where('id_hash', '=', hashId(id)).executeTakeFirst(), id),

    /** The id of a session found by uid is not known: it cannot be saved. */
    findByUid: async (uid) => remember(await select().where('uid', '=', uid).executeTakeFirst()),

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      const uid = payload.uid;
      if (!unit || !uid) throw new Error('a session is saved inside a unit of work and has a uid');
      const stored = toStored(payload);
      const expiresAt = time(Math.floor(Date.now() / 1000) + expiresIn);
      const known = unit.sessions.get(uid);
      for (const key of endKeys(uid)) unit.writes.delete(key);
      unit.sessionUid = uid;
      requireEpoch(unit, known?.row.payload);

      if (!known) {
        const values = {
          brand: text(brand),
          uid: text(uid),
          id_hash: text(hashId(id)),
          account_id: text(payload.accountId),
          payload: json(stored),
          user_agent: text(unit.facts.userAgent),
          address: text(unit.facts.address),
          locale: text(unit.facts.locale),
          expires_at: expiresAt,
        };
        unit.writes.set(`Session:${uid}`, {
          kind: 'state',
          statement: (qc, guard) => insertWhere(qc, 'session', values, guard),
        });
        return;
      }

      const fresh = Date.now() - known.row.last_accessed_at.getTime() < ACCESS_GRAIN_MS;
      if (known.id === id && fresh && fingerprint(known.row.payload) === fingerprint(stored)) return;
      // Never an insert: a session that was ended meanwhile stays ended.
      unit.writes.set(`Session:${uid}`, {
        kind: 'state',
        statement: (qc) =>
          qc
            .updateTable('session')
            .set({
              id_hash: text(hashId(id)),
              account_id: text(payload.accountId),
              payload: json(stored),
              user_agent: text(unit.facts.userAgent),
              address: text(unit.facts.address),
              locale: text(unit.facts.locale),
              last_accessed_at: sql`now()`,
              expires_at: expiresAt,
            })
            .where('brand', '=', brand)
            .where('uid', '=', uid),
      });
    },

    destroy: async (id) => {
      const unit = currentUnit();
      const known = [...(unit?.sessions ?? [])].find(([, session]) => session.id === id);
      if (unit && known) queueEnd(unit, brand, known[0]);
    },
  };
};
