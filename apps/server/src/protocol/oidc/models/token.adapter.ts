import { randomUUID } from 'node:crypto';
import { type QueryCreator, type Selectable, sql } from 'kysely';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { Database } from '../../../ground/db/database.ts';
import { compileOnce, type Param } from '../../../ground/db/statement.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import type { AccessTokenTable } from '../../../link/oidc-model/oidc-model.table.ts';
import { type AccountFacts, accountFactsOf } from '../../../person/account/account-facts.repository.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { createBatch } from '../storage/batch.ts';
import {
  endIn,
  insertWhere,
  isSpentBy,
  json,
  markSpent,
  text,
  time,
  toJson,
  toSeconds,
} from '../storage/columns.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { row, type TokenModel } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import { noteAccount } from '../subject/claims.ts';
import { noteGrant, toGrantPayload } from './grant.adapter.ts';
import type { AdapterContext, AdapterPayload, Call, ModelAdapter } from './model-adapter.ts';

type TokenTableName = 'authorization_code' | 'access_token' | 'refresh_token';

interface TokenStorage {
  model: TokenModel;
  table: TokenTableName;
}

interface TokenKey {
  brand: string;
  idHash: string;
}

/** The keys of one look-up: several tokens of one brand. */
export interface TokenLookup {
  brand: string;
  idHashes: readonly string[];
}

/** The token to spend, and the mark by which the request recognises its own spend after a lost answer. */
interface Spending extends TokenKey {
  mark: string;
}

/**
 * Selects tokens with what the engine asks for next: the grant and the account. The limit makes the planner look up
 * the one grant of a token; a plan kept from a time of few grants would read all grants of the brand.
 */
export const selectToken = (db: QueryCreator<Database>, table: TokenTableName, param: Param<TokenLookup>) =>
  db
    .selectFrom(sql<Selectable<AccessTokenTable>>`${sql.table(table)}`.as('token'))
    .innerJoinLateral(
      (grants) =>
        grants
          .selectFrom('authorization_grant')
          .select(['payload', 'scope', 'expires_at', 'renewed_at'])
          .whereRef('authorization_grant.brand', '=', 'token.brand')
          .whereRef('authorization_grant.id', '=', 'token.grant_id')
          .limit(1)
          .as('owner'),
      (join) => join.onTrue(),
    )
    .select([
      'token.id_hash',
      'token.payload',
      'token.expires_at',
      'token.consumed_at',
      'token.grant_id',
      'owner.payload as grant_payload',
      'owner.scope as grant_scope',
      'owner.expires_at as grant_expires_at',
      accountFactsOf('token.account_id').as('account'),
    ])
    .where('token.brand', '=', param('brand'))
    .where('token.id_hash', '=', sql<string>`any(cast(${param('idHashes')} as text[]))`);

interface OwnerColumns {
  grant_id: string;
  grant_payload: Record<string, unknown>;
  grant_scope: string;
  grant_expires_at: Date;
  account: AccountFacts | null;
}

/** Keeps the grant and the account that a look-up of a token brought along. */
export const noteOwner = (unit: UnitOfWork, { grant_id: id, account, ...owner }: OwnerColumns): void => {
  const grant = { payload: owner.grant_payload, expires_at: owner.grant_expires_at };
  noteGrant(unit, id, toGrantPayload(id, grant));
  unit.memo.scope.set(id, owner.grant_scope);
  noteAccount(unit, account);
};

export const toTokenPayload = (
  id: string,
  found: { payload: Record<string, unknown>; expires_at: Date; consumed_at: Date | null },
): AdapterPayload => ({
  ...found.payload,
  jti: id,
  exp: toSeconds(found.expires_at),
  ...(found.consumed_at && { consumed: toSeconds(found.consumed_at) }),
});

/** The scopes of a grant: those of one API for a token that is for it, and all of them for any other token. */
const grantedTo = ({ aud }: AdapterPayload, grant: Record<string, unknown>): ReadonlySet<string> => {
  const { openid, resources = {} }: { openid?: { scope?: unknown }; resources?: Record<string, unknown> } =
    grant;
  const texts = aud === undefined ? [openid?.scope, ...Object.values(resources)] : [resources[String(aud)]];
  return new Set(texts.flatMap(readWords));
};

/** A stored token never says more than its grant, which its person may have narrowed since. */
export const withinGrant = (payload: AdapterPayload, grant: Record<string, unknown>): AdapterPayload => {
  const granted = grantedTo(payload, grant);
  const scopes = readWords(payload.scope);
  return scopes.every((name) => granted.has(name))
    ? payload
    : { ...payload, scope: scopes.filter((name) => granted.has(name)).join(' ') };
};

export type TokenValues = ReturnType<typeof tokenValues>;

/** The values of a token's row. Only the hash of the id is stored. */
export const tokenValues = (brand: string, id: string, payload: AdapterPayload, expiresIn: number) => {
  const { jti: _jti, exp: _exp, ...stored } = payload;
  return {
    brand,
    idHash: hashToken(id),
    accountId: payload.accountId ?? null,
    clientId: payload.clientId ?? null,
    grantId: payload.grantId ?? null,
    payload: toJson(stored),
    expiresAt: payload.exp ?? endIn(expiresIn),
  };
};

export const tokenColumns = (param: Param<TokenValues>) => ({
  brand: text(param('brand')),
  id_hash: text(param('idHash')),
  account_id: text(param('accountId')),
  client_id: text(param('clientId')),
  grant_id: text(param('grantId')),
  payload: json(param('payload')),
  expires_at: time(param('expiresAt')),
});

const defineTokenWrites = (table: TokenTableName) => ({
  insert: defineWrite<TokenValues>((db, param, guard) => insertWhere(db, table, tokenColumns(param), guard)),
  delete: defineWrite<TokenKey>((db, param, guard) =>
    db
      .deleteFrom(table)
      .where('brand', '=', param('brand'))
      .where('id_hash', '=', param('idHash'))
      .where(guard),
  ),
  deleteOfGrant: defineWrite<{ brand: string; grantId: string }>((db, param, guard) =>
    db
      .deleteFrom(table)
      .where('brand', '=', param('brand'))
      .where('grant_id', '=', param('grantId'))
      .where(guard),
  ),
  /** Of parallel requests one finds the row unspent, when its unit is written. */
  consume: defineWrite<Spending>(
    (db, param) =>
      db
        .updateTable(table)
        .set({ consumed_at: sql`now()`, payload: markSpent(param('mark')) })
        .where('brand', '=', param('brand'))
        .where('id_hash', '=', param('idHash'))
        .where('consumed_at', 'is', null)
        // The condition locks the grant before the update locks the token: the order of locks of `link/ending/end.ts`.
        .where((where) =>
          where.exists(
            where
              .selectFrom('authorization_grant as owner')
              .select('owner.id')
              .where('owner.brand', '=', param('brand'))
              .whereRef('owner.id', '=', sql.ref(`${table}.grant_id`))
              .forKeyShare(),
          ),
        )
        .returning('id_hash'),
    {
      isWritten: async (db, { brand, idHash, mark }) => {
        const found = await db
          .selectFrom(table)
          .select(isSpentBy(mark).as('isSpent'))
          .where('brand', '=', brand)
          .where('id_hash', '=', idHash)
          .forShare()
          .executeTakeFirst();
        return found?.isSpent === true;
      },
    },
  ),
});

const tokenWrites = {
  authorization_code: defineTokenWrites('authorization_code'),
  access_token: defineTokenWrites('access_token'),
  refresh_token: defineTokenWrites('refresh_token'),
};

/** RFC 7009 section 2.1 lets a revoked access token spare the rest of its grant: a link must outlive it. */
const revokesAccessTokenOnly = ({ route, accessToken }: EngineRequest): boolean =>
  route === 'revocation' && accessToken !== undefined;

/** Deletes tokens: the writes that all three kinds have. */
export const createTokenWrites = (brand: string, { model, table }: TokenStorage) => ({
  destroy: async (id: string, { unit }: Call): Promise<void> =>
    unit.keep(row.token(model, id), tokenWrites[table].delete, { brand, idHash: hashToken(id) }),

  revokeByGrantId: async (grantId: string, { unit, request }: Call): Promise<void> => {
    // The tokens go with a grant that ends.
    if (unit.isEnding(row.grant(grantId)) || revokesAccessTokenOnly(request)) return;
    unit.keep(row.tokensOf(model, grantId), tokenWrites[table].deleteOfGrant, { brand, grantId });
  },
});

/** Issues, spends and deletes codes and access tokens. */
export const createTokenStore = (brand: string, token: TokenStorage): Omit<ModelAdapter, 'find'> => {
  const { model, table } = token;
  return {
    upsert: async (id, payload, expiresIn, { unit }) => {
      if (!payload.grantId) throw new Error(`${model} is issued under a grant`);
      const values = tokenValues(brand, id, payload, expiresIn);
      unit.issue(row.token(model, id), tokenWrites[table].insert, values);
      if (model !== 'AccessToken') return;
      queueSlide(unit, { brand, grantId: payload.grantId, until: values.expiresAt, linked: false });
    },

    consume: async (id, { unit }) => {
      const values = { brand, idHash: hashToken(id), mark: randomUUID() };
      unit.spend(row.token(model, id, 'spend'), tokenWrites[table].consume, values);
    },

    ...createTokenWrites(brand, token),
  };
};

const findTokens = compileOnce((db, param: Param<TokenLookup>) => selectToken(db, 'access_token', param));

export const createAccessTokenAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const load = createBatch(
    (idHashes) => findTokens(db, { brand, idHashes }),
    ({ id_hash }) => id_hash,
  );
  return {
    find: async (id, { unit }) => {
      const found = await load(hashToken(id));
      if (!found) return undefined;
      noteOwner(unit, found);
      return withinGrant(toTokenPayload(id, found), found.grant_payload);
    },

    ...createTokenStore(brand, { model: 'AccessToken', table: 'access_token' }),
  };
};
