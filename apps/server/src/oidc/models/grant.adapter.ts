import { Provider } from 'oidc-provider';
import { clientFingerprint } from '../../client/client-fingerprint.ts';
import type { AuthorizationGrantRow } from '../../grant/grant.table.ts';
import { toScopeKey } from '../../scope/scope-key.ts';
import { readWords } from '../../scope/space-separated.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import type { Values } from '../storage/statement.ts';
import { currentUnit, defineWrite, queueWrite, type UnitOfWork } from '../storage/unit.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** The columns of a grant that a token's statement brings along, so that the engine's own look-up costs nothing. */
const grantColumns = ['payload', 'expires_at'] as const satisfies readonly (keyof AuthorizationGrantRow)[];

/** The grant's end is its column: it slides with the tokens without a rewrite of the payload. */
export const toGrantPayload = (
  id: string,
  row: { payload: Record<string, unknown>; expires_at: Date },
): AdapterPayload => ({ ...row.payload, jti: id, exp: toSeconds(row.expires_at) });

/** Notes what was read of a grant, for the engine's later `find`. */
export const noteGrant = (unit: UnitOfWork | undefined, id: string, payload: AdapterPayload | undefined) =>
  unit?.reads.set(`Grant:${id}`, Promise.resolve(payload));

/** What is approved, as it is told to people: the account's scopes, then those of resources by their keys. */
const scopesOf = ({ openid, resources }: AdapterPayload): string[] => {
  const ofResources = Object.entries((resources ?? {}) as Record<string, string>);
  return [
    ...readWords((openid as { scope?: string } | undefined)?.scope),
    ...ofResources.flatMap(([identifier, text]) =>
      readWords(text).map((name) => toScopeKey(identifier, name)),
    ),
  ];
};

interface GrantKey extends Values {
  brand: string;
  id: string;
}

const endGrant = defineWrite<GrantKey>((db, { brand, id }) =>
  db.deleteFrom('authorization_grant').where('brand', '=', brand).where('id', '=', id),
);

interface NewGrant extends GrantKey {
  accountId: string | null;
  clientId: string | null;
  sessionUid: string | null;
  scope: string;
  payload: string;
  userAgent: string;
  clientHints: string | null;
  address: string;
  locale: string;
  expiresAt: number;
}

const insertGrant = defineWrite<NewGrant>((db, values, guard) =>
  insertWhere(
    db,
    'authorization_grant',
    {
      brand: text(values.brand),
      id: text(values.id),
      account_id: text(values.accountId),
      client_id: text(values.clientId),
      session_uid: text(values.sessionUid),
      scope: text(values.scope),
      payload: json(values.payload),
      user_agent: text(values.userAgent),
      client_hints: json(values.clientHints),
      address: text(values.address),
      locale: text(values.locale),
      expires_at: time(values.expiresAt),
    },
    guard,
  ),
);

/** Never an insert of one that existed: a withdrawn grant stays withdrawn. */
const updateGrant = defineWrite<GrantKey & { scope: string; payload: string }>(
  (db, { brand, id, scope, payload }) =>
    db
      .updateTable('authorization_grant')
      .set({ payload: json(payload), scope })
      .where('brand', '=', brand)
      .where('id', '=', id),
);

/** Where somebody is about to be signed in by what was approved before, or asked. */
const ASKING: ReadonlySet<string | undefined> = new Set(['authorization', 'resume']);

export const createGrantAdapter = ({ db, brand, clients }: AdapterContext): ModelAdapter => {
  const fingerprintOf = async ({ clientId }: AdapterPayload) => {
    const client = clientId && (await clients.findClient(clientId, brand));
    return client ? clientFingerprint(client.metadata) : undefined;
  };

  return {
    find: async (id) => {
      const unit = currentUnit();
      const read = (unit?.reads.get(`Grant:${id}`) ??
        db
          .selectFrom('authorization_grant')
          .select(grantColumns)
          .where('brand', '=', brand)
          .where('id', '=', id)
          .executeTakeFirst()
          .then((row) => row && toGrantPayload(id, row))) as Promise<AdapterPayload | undefined>;
      unit?.reads.set(`Grant:${id}`, read);
      const payload = await read;
      // What was approved of an app says nothing of another of its id, but the links that were made then live.
      if (!payload?.approvedAs || !ASKING.has(Provider.ctx?.oidc.route)) return payload;
      return payload.approvedAs === (await fingerprintOf(payload)) ? payload : undefined;
    },

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      if (!unit) throw new Error('a grant is saved inside a unit of work');
      const { jti: _jti, exp: _exp, ...stored } = payload;
      const scope = scopesOf(payload).join(' ');
      const key = { brand, id };
      const existing = (await unit.reads.get(`Grant:${id}`)) as AdapterPayload | undefined;
      const approvedAs = existing ? existing.approvedAs : await fingerprintOf(payload);
      const values = { ...key, scope, payload: toJson({ ...stored, approvedAs }) };
      noteGrant(unit, id, { ...payload, approvedAs });
      if (existing) return queueWrite(unit, `Grant:${id}`, 'state', updateGrant, values);
      // The session that it hangs on may be saved after it.
      queueWrite(unit, `Grant:${id}`, 'state', insertGrant, () => ({
        ...values,
        accountId: payload.accountId ?? null,
        clientId: payload.clientId ?? null,
        sessionUid: unit.sessionUid ?? null,
        ...unit.facts,
        expiresAt: endIn(expiresIn),
      }));
    },

    destroy: async (id) => {
      const unit = currentUnit();
      if (!unit) return;
      queueWrite(unit, `Grant:${id}`, 'state', endGrant, { brand, id });
      if (Provider.ctx?.oidc.route === 'token') unit.noted.familyEnded = true;
    },
  };
};
