import { type RawBuilder, sql } from 'kysely';
import { toScopeKey } from '../../../branding/scope/scope-key.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import { clientFingerprint } from '../../../clients/client/client-fingerprint.ts';
import { endedColumns } from '../../../link/grant/ended-grant.ts';
import { deletionOfGrant } from '../../../link/grant/grant.repository.ts';
import type { AuthorizationGrantRow } from '../../../link/grant/grant.table.ts';
import { endedLinksOf } from '../../../person/signal/ended-link.repository.ts';
import { signalsOfLinks } from '../../../person/signal/signal.repository.ts';
import type { LinkEndReason } from '../../../person/signal/signal.table.ts';
import { type InitiatingEntity, linkEnders } from '../../../person/signal/told.ts';
import { forgetWaitingValues } from '../../../person/signal/waiting-value.repository.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { row, tokenModels } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** The columns that the engine's `Grant` is made of, and those that `queueSlide` compares. The look-up of a token reads them too. */
const grantColumns = [
  'payload',
  'scope',
  'expires_at',
] as const satisfies readonly (keyof AuthorizationGrantRow)[];

/** The end of a grant is a column, so that it slides with the tokens and the payload stays. */
export const toGrantPayload = (
  id: string,
  { payload, expires_at }: { payload: Record<string, unknown>; expires_at: Date },
): AdapterPayload => ({ ...payload, jti: id, exp: toSeconds(expires_at) });

/** Keeps a grant that was read or saved, for the engine's next `find`. */
export const noteGrant = (unit: UnitOfWork, id: string, payload: AdapterPayload): void => {
  unit.memo.grant.set(id, Promise.resolve(payload));
};

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** What is approved, as people are shown it: the account's scopes, then those of resources by their keys. */
const scopesOf = ({ openid, resources }: AdapterPayload): string[] => [
  ...entriesOf(openid).flatMap(([name, scope]) => (name === 'scope' ? readWords(scope) : [])),
  ...entriesOf(resources).flatMap(([identifier, scope]) =>
    readWords(scope).map((name) => toScopeKey(identifier, name)),
  ),
];

interface GrantKey {
  brand: string;
  id: string;
}

/** The link that the grant was, if it was one. */
const linkIn = (returned: RawBuilder<unknown>) =>
  sql`(select brand, id, account_id, client_id, scope, label, created_at, google_token_hash from ${returned} where has_refresh_token) as link`;

const endGrant = defineWrite<GrantKey & { reason: LinkEndReason; by: InitiatingEntity }>(
  (db, param) => deletionOfGrant(db, { brand: param('brand'), id: param('id') }).returning(endedColumns),
  {
    follow: (db, param, returned) => [
      endedLinksOf(db, { links: linkIn(returned), reason: param('reason') }),
      signalsOfLinks(db, {
        event: 'link-ended',
        links: linkIn(returned),
        by: param('by'),
        reason: param('reason'),
      }),
      forgetWaitingValues(
        db,
        sql`(select brand, account_id, client_id, id as ended_id from ${returned}) as link`,
      ),
    ],
  },
);

/** Why the engine ends a grant. Where no app asks for it, its person did. */
const reasonOf = ({ route, parameters }: EngineRequest): LinkEndReason => {
  if (route === 'revocation') return 'revoked_by_client';
  if (route !== 'token') return 'withdrawn';
  return parameters.grant_type === 'refresh_token' ? 'token_theft' : 'code_reused';
};

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

/** An update, never an insert: a grant that was withdrawn meanwhile stays withdrawn. */
const updateGrant = defineWrite<GrantKey & { scope: string; payload: string }>((db, param) =>
  db
    .updateTable('authorization_grant')
    .set({ payload: json(param('payload')), scope: param('scope') })
    .where('brand', '=', param('brand'))
    .where('id', '=', param('id')),
);

/** The endpoints at which an earlier approval may sign somebody in without a question. */
const ASKING: ReadonlySet<string | undefined> = new Set(['authorization', 'resume']);

export const createGrantAdapter = ({ db, brand, clients }: AdapterContext): ModelAdapter => {
  const fingerprintOf = async ({ clientId }: AdapterPayload) => {
    const client = clientId && (await clients.findClient(clientId, brand));
    return client ? clientFingerprint(client.metadata) : undefined;
  };

  const load = async (id: string, unit: UnitOfWork) => {
    const found = await db
      .selectFrom('authorization_grant')
      .select(grantColumns)
      .where('brand', '=', brand)
      .where('id', '=', id)
      .executeTakeFirst();
    if (found) unit.memo.scope.set(id, found.scope);
    return found && toGrantPayload(id, found);
  };

  return {
    find: async (id, { unit, request }) => {
      const read = unit.memo.grant.get(id) ?? load(id, unit);
      unit.memo.grant.set(id, read);
      const payload = await read;
      // An approval holds for the app as it was. Links that were made before a change of the app live on.
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
      // The engine may save the session after the grant.
      unit.keepLate(row.grant(id), insertGrant, () => ({
        ...values,
        accountId: payload.accountId ?? null,
        clientId: payload.clientId ?? null,
        sessionUid: unit.sessionUid ?? null,
        ...unit.facts,
        expiresAt: endIn(expiresIn),
      }));
    },

    /** The tokens go with their grant, by a cascading key: deletions of them that were queued are needless. */
    destroy: async (id, { unit, request }) => {
      const reason = reasonOf(request);
      unit.end(row.grant(id), endGrant, { brand, id, reason, by: linkEnders[reason] });
      for (const model of tokenModels) unit.drop(row.tokensOf(model, id));
      if (request.route === 'token') unit.noted.familyEnded = true;
      if (request.route === 'revocation') unit.noted.grantRevoked = true;
    },
  };
};
