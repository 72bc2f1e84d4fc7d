import { randomUUID } from 'node:crypto';
import { type QueryCreator, type SqlBool, sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { type AccountFacts, accountFactsOf } from '../../account/account-facts.repository.ts';
import type { Database } from '../../db/database.ts';
import { hashToken } from '../../opaque-token.ts';
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
import { compileOnce, type Values } from '../storage/statement.ts';
import { currentUnit, defineWrite, queueWrite, type UnitOfWork } from '../storage/unit.ts';
import { noteAccount } from '../subject/claims.ts';
import { noteGrant, toGrantPayload } from './grant.adapter.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

type TokenTableName = 'authorization_code' | 'access_token' | 'refresh_token';

interface TokenModel {
  model: string;
  table: TokenTableName;
}

interface TokenKey extends Values {
  brand: string;
  idHash: string;
}

/** How a token is spent: with a mark of the request, by which it finds its own deed again. */
interface Spending extends TokenKey {
  mark: string;
}

/** How long a grant lasts beyond its last use where no refresh token carries it: as long as a session. */
const GRANT_AFTER_USE_SECONDS = 14 * 24 * 3600;

/**
 * Tokens with what the engine asks of them next: their grant and their account. The limit holds the planner to
 * look up a token's own grant: a plan that is kept from when there were few grants would read all of a brand's.
 */
export const selectToken = (
  db: QueryCreator<Database>,
  table: TokenTableName,
  brand: string,
  idHashes: readonly string[],
) =>
  db
    .selectFrom(`${table as 'refresh_token'} as token`)
    .innerJoinLateral(
      (grants) =>
        grants
          .selectFrom('authorization_grant')
          .select(['payload', 'expires_at'])
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
      'owner.expires_at as grant_expires_at',
      accountFactsOf('token.account_id').as('account'),
    ])
    .where('token.brand', '=', brand)
    .where('token.id_hash', '=', sql<string>`any(cast(${idHashes} as text[]))`);

interface OwnerColumns {
  grant_id: string;
  grant_payload: Record<string, unknown>;
  grant_expires_at: Date;
  account: AccountFacts | null;
}

/** Notes the grant and the account that came along with a token. */
export const noteOwner = (unit: UnitOfWork | undefined, row: OwnerColumns): void => {
  const grant = { payload: row.grant_payload, expires_at: row.grant_expires_at };
  noteGrant(unit, row.grant_id, toGrantPayload(row.grant_id, grant));
  noteAccount(unit, row.account);
};

export const toTokenPayload = (
  id: string,
  row: { payload: Record<string, unknown>; expires_at: Date; consumed_at: Date | null },
): AdapterPayload => ({
  ...row.payload,
  jti: id,
  exp: toSeconds(row.expires_at),
  ...(row.consumed_at && { consumed: toSeconds(row.consumed_at) }),
});

/** A token's values; of its id the hash alone is stored. */
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

export const tokenColumns = (values: ReturnType<typeof tokenValues>) => ({
  brand: text(values.brand),
  id_hash: text(values.idHash),
  account_id: text(values.accountId),
  client_id: text(values.clientId),
  grant_id: text(values.grantId),
  payload: json(values.payload),
  expires_at: time(values.expiresAt),
});

interface Slide extends Values {
  brand: string;
  grantId: string;
  /** The end of the last token issued, in seconds since the epoch. */
  until: number;
  linked: boolean;
}

const slideGrant = defineWrite<Slide>((db, { brand, grantId, until, linked }, guard) =>
  db
    .updateTable('authorization_grant')
    .set({
      expires_at: sql`greatest(expires_at, ${time(until)})`,
      last_accessed_at: sql`now()`,
      has_refresh_token: sql`has_refresh_token or cast(${linked} as boolean)`,
    })
    .where('brand', '=', brand)
    .where('id', '=', grantId)
    .where(guard ?? sql<SqlBool>`true`),
);

/**
 * Lets the grant last at least as long as the token issued: a link until its last token ends, any other a while
 * beyond, for the sign-ons to come. The later of two calls in a unit holds both.
 */
export const queueSlide = (unit: UnitOfWork, slide: Slide) => {
  const key = `Grant:${slide.grantId}:slide`;
  const earlier = unit.writes.get(key)?.values as (Slide & { lastToken: number }) | undefined;
  const lastToken = Math.max(slide.until, earlier?.lastToken ?? 0);
  const linked = slide.linked || earlier?.linked === true;
  const until = linked ? lastToken : Math.max(lastToken, endIn(GRANT_AFTER_USE_SECONDS));
  queueWrite(unit, key, 'issue', slideGrant, { ...slide, lastToken, linked, until });
};

/** RFC 7009 section 2.1: revoking an access token may spare the rest of its grant, and a link must not die of it. */
const revokesAccessTokenOnly = () => {
  const oidc = Provider.ctx?.oidc;
  return oidc?.route === 'revocation' && oidc.entities.AccessToken !== undefined;
};

const defineTokenWrites = (table: TokenTableName) => ({
  insert: defineWrite<ReturnType<typeof tokenValues>>((db, values, guard) =>
    insertWhere(db, table, tokenColumns(values), guard),
  ),
  delete: defineWrite<TokenKey>((db, { brand, idHash }) =>
    db.deleteFrom(table).where('brand', '=', brand).where('id_hash', '=', idHash),
  ),
  deleteOfGrant: defineWrite<{ brand: string; grantId: string }>((db, { brand, grantId }) =>
    db.deleteFrom(table).where('brand', '=', brand).where('grant_id', '=', grantId),
  ),
  /** Settled by the database when the unit is written: of parallel requests one finds the row unspent. */
  consume: defineWrite<Spending>(
    (db, { brand, idHash, mark }) =>
      db
        .updateTable(table)
        .set({ consumed_at: sql`now()`, payload: markSpent(mark) })
        .where('brand', '=', brand)
        .where('id_hash', '=', idHash)
        .where('consumed_at', 'is', null)
        // The grant is locked before its token, in the order in which a withdrawal takes them.
        .where((where) =>
          where.exists(
            where
              .selectFrom('authorization_grant as owner')
              .select('owner.id')
              .where('owner.brand', '=', brand)
              .whereRef('owner.id', '=', sql.ref(`${table}.grant_id`))
              .forKeyShare(),
          ),
        )
        .returning('id_hash'),
    async (db, { brand, idHash, mark }) => {
      const row = await db
        .selectFrom(table as 'authorization_code')
        .select(isSpentBy(mark).as('isSpent'))
        .where('brand', '=', brand)
        .where('id_hash', '=', idHash)
        .forShare()
        .executeTakeFirst();
      return row?.isSpent === true;
    },
  ),
});

const tokenWrites = {
  authorization_code: defineTokenWrites('authorization_code'),
  access_token: defineTokenWrites('access_token'),
  refresh_token: defineTokenWrites('refresh_token'),
};

/** The writes that every kind of token has, for the one of `model` in `table`. */
export const createTokenWrites = (brand: string, { model, table }: TokenModel) => ({
  destroy: async (id: string): Promise<void> => {
    const unit = currentUnit();
    if (unit)
      queueWrite(unit, `${model}:${id}`, 'state', tokenWrites[table].delete, {
        brand,
        idHash: hashToken(id),
      });
  },
  revokeByGrantId: async (grantId: string): Promise<void> => {
    const unit = currentUnit();
    // A grant that ends takes its tokens with it.
    if (!unit || unit.writes.has(`Grant:${grantId}`) || revokesAccessTokenOnly()) return;
    const { deleteOfGrant } = tokenWrites[table];
    queueWrite(unit, `${model}:grant:${grantId}`, 'state', deleteOfGrant, { brand, grantId });
  },
});

/** What codes and access tokens have in common: how they are issued, spent and ended. */
export const createTokenStore = (brand: string, token: TokenModel): Omit<ModelAdapter, 'find'> => {
  const { model, table } = token;
  return {
    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      if (!unit || !payload.grantId)
        throw new Error(`${model} is issued inside a unit of work and under a grant`);
      const values = tokenValues(brand, id, payload, expiresIn);
      queueWrite(unit, `${model}:${id}`, 'issue', tokenWrites[table].insert, values);
      if (model !== 'AccessToken') return;
      queueSlide(unit, { brand, grantId: payload.grantId, until: values.expiresAt, linked: false });
    },

    consume: async (id) => {
      const unit = currentUnit();
      if (!unit) return;
      const { consume } = tokenWrites[table];
      queueWrite(unit, `${model}:${id}:consume`, 'spend', consume, {
        brand,
        idHash: hashToken(id),
        mark: randomUUID(),
      });
    },

    ...createTokenWrites(brand, token),
  };
};

const findTokens = compileOnce((db, { brand, idHashes }: { brand: string; idHashes: readonly string[] }) =>
  selectToken(db, 'access_token', brand, idHashes),
);

export const createAccessTokenAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const load = createBatch(
    (idHashes) => findTokens(db, { brand, idHashes }),
    (row) => row.id_hash,
  );
  return {
    find: async (id) => {
      const row = await load(hashToken(id));
      if (!row) return undefined;
      noteOwner(currentUnit(), row);
      return toTokenPayload(id, row);
    },

    ...createTokenStore(brand, { model: 'AccessToken', table: 'access_token' }),
  };
};
