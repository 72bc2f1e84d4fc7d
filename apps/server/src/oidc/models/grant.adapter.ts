import { clientFingerprint } from '../../client/client-fingerprint.ts';
import type { AuthorizationGrantRow } from '../../grant/grant.table.ts';
import { toScopeKey } from '../../scope/scope-key.ts';
import { readWords } from '../../scope/space-separated.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** The columns of a grant that a token's statement brings along, so that the engine's own look-up costs nothing. */
const grantColumns = ['payload', 'expires_at'] as const satisfies readonly (keyof AuthorizationGrantRow)[];

/** The grant's end is its column: it slides with the tokens without a rewrite of the payload. */
export const toGrantPayload = (
  id: string,
  { payload, expires_at }: { payload: Record<string, unknown>; expires_at: Date },
): AdapterPayload => ({ ...payload, jti: id, exp: toSeconds(expires_at) });

/** Notes what was read of a grant, for the engine's later `find`. */
export const noteGrant = (unit: UnitOfWork, id: string, payload: AdapterPayload): void => {
  unit.memo.grant.set(id, Promise.resolve(payload));
};

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

interface GrantKey {
  brand: string;
  id: string;
}

const endGrant = defineWrite<GrantKey>((db, param) =>
  db
    .deleteFrom('authorization_grant')
    .where('brand', '=', param('brand'))
    .where('id', '=', param('id'))
    .returning('id'),
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

const insertGrant = defineWrite<NewGrant>((db, param, guard) =>
  insertWhere(
    db,
    'authorization_grant',
    {
      brand: text(param('brand')),
      id: text(param('id')),
      account_id: text(param('accountId')),
      client_id: text(param('clientId')),
      session_uid: text(param('sessionUid')),
      scope: text(param('scope')),
      payload: json(param('payload')),
      user_agent: text(param('userAgent')),
      client_hints: json(param('clientHints')),
      address: text(param('address')),
      locale: text(param('locale')),
      expires_at: time(param('expiresAt')),
    },
    guard,
  ),
);

/** Never an insert of one that existed: a withdrawn grant stays withdrawn. */
const updateGrant = defineWrite<GrantKey & { scope: string; payload: string }>((db, param) =>
  db
    .updateTable('authorization_grant')
    .set({ payload: json(param('payload')), scope: param('scope') })
    .where('brand', '=', param('brand'))
    .where('id', '=', param('id')),
);

/** Where somebody is about to be signed in by what was approved before, or asked. */
const ASKING: ReadonlySet<string | undefined> = new Set(['authorization', 'resume']);

export const createGrantAdapter = ({ db, brand, clients }: AdapterContext): ModelAdapter => {
  const fingerprintOf = async ({ clientId }: AdapterPayload) => {
    const client = clientId && (await clients.findClient(clientId, brand));
    return client ? clientFingerprint(client.metadata) : undefined;
  };

  const load = async (id: string) => {
    const found = await db
      .selectFrom('authorization_grant')
      .select(grantColumns)
      .where('brand', '=', brand)
      .where('id', '=', id)
      .executeTakeFirst();
    return found && toGrantPayload(id, found);
  };

  return {
    find: async (id, { unit, request }) => {
      const read = unit.memo.grant.get(id) ?? load(id);
      unit.memo.grant.set(id, read);
      const payload = await read;
      // What was approved of an app says nothing of another of its id, but the links that were made then live.
      if (!payload?.approvedAs || !ASKING.has(request.route)) return payload;
      return payload.approvedAs === (await fingerprintOf(payload)) ? payload : undefined;
    },

    upsert: async (id, payload, expiresIn, { unit }) => {
      const { jti: _jti, exp: _exp, ...stored } = payload;
      const scope = scopesOf(payload).join(' ');
      const key = { brand, id };
      const existing = await unit.memo.grant.get(id);
      const approvedAs = existing ? existing.approvedAs : await fingerprintOf(payload);
      const values = { ...key, scope, payload: toJson({ ...stored, approvedAs }) };
      noteGrant(unit, id, { ...payload, approvedAs });
      if (existing) return unit.keep(row.grant(id), updateGrant, values);
      // The session that it hangs on may be saved after it.
      unit.keepLate(row.grant(id), insertGrant, () => ({
        ...values,
        accountId: payload.accountId ?? null,
        clientId: payload.clientId ?? null,
        sessionUid: unit.sessionUid ?? null,
        ...unit.facts,
        expiresAt: endIn(expiresIn),
      }));
    },

    destroy: async (id, { unit, request }) => {
      unit.end(row.grant(id), endGrant, { brand, id });
      if (request.route === 'token') unit.noted.familyEnded = true;
    },
  };
};
