import { type SqlBool, sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { accountFactsOf } from '../../account/account-facts.repository.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../adapter.ts';
import { noteAccount } from '../claims.ts';
import { hashId, insertWhere, json, text, time, toSeconds } from '../columns.ts';
import { currentUnit, type StatementBuilder, type UnitOfWork } from '../unit-of-work.ts';
import { noteGrant, toGrantPayload } from './grant.adapter.ts';

type TokenTableName = 'authorization_code' | 'access_token' | 'refresh_token';

interface TokenModel {
  model: string;
  table: TokenTableName;
}

/** How long a grant lasts beyond its last use where no refresh token carries it: as long as a session. */
const GRANT_AFTER_USE_SECONDS = 14 * 24 * 3600;

export const toTokenPayload = (
  id: string,
  row: { payload: Record<string, unknown>; expires_at: Date; consumed_at: Date | null },
): AdapterPayload => ({
  ...row.payload,
  jti: id,
  exp: toSeconds(row.expires_at),
  ...(row.consumed_at && { consumed: toSeconds(row.consumed_at) }),
});

/** A token's columns; the id is stored as its hash alone. */
export const tokenColumns = (brand: string, id: string, payload: AdapterPayload, expiresIn: number) => {
  const { jti: _jti, exp: _exp, ...stored } = payload;
  return {
    brand: text(brand),
    id_hash: text(hashId(id)),
    account_id: text(payload.accountId),
    client_id: text(payload.clientId),
    grant_id: text(payload.grantId),
    payload: json(stored),
    expires_at: time(payload.exp ?? Math.floor(Date.now() / 1000) + expiresIn),
  };
};

/** Lets the grant last at least as long as the token issued; the later of two calls in a unit holds both. */
export const queueSlide = (
  unit: UnitOfWork,
  brand: string,
  grantId: string,
  until: number,
  refresh: boolean,
) => {
  const key = `Grant:${grantId}:slide`;
  const earlier = unit.writes.get(key) as { until?: number; refresh?: boolean } | undefined;
  const end = Math.max(until, earlier?.until ?? 0);
  const linked = refresh || earlier?.refresh === true;
  const write = {
    kind: 'issue' as const,
    until: end,
    refresh: linked,
    statement: ((db, guard) =>
      db
        .updateTable('authorization_grant')
        .set({
          expires_at: sql`greatest(expires_at, ${time(end)})`,
          last_accessed_at: sql`now()`,
          ...(linked && { has_refresh_token: true }),
        })
        .where('brand', '=', brand)
        .where('id', '=', grantId)
        .where(guard ?? sql<SqlBool>`true`)) satisfies StatementBuilder,
  };
  unit.writes.set(key, write);
};

/** RFC 7009 section 2.1: revoking an access token may spare the rest of its grant, and a link must not die of it. */
const revokesAccessTokenOnly = () => {
  const oidc = Provider.ctx?.oidc;
  return oidc?.route === 'revocation' && oidc.entities.AccessToken !== undefined;
};

export const createRevokeByGrantId =
  (brand: string, { model, table }: TokenModel): NonNullable<ModelAdapter['revokeByGrantId']> =>
  async (grantId) => {
    const unit = currentUnit();
    // A grant that ends takes its tokens with it.
    if (!unit || unit.writes.has(`Grant:${grantId}`) || revokesAccessTokenOnly()) return;
    unit.writes.set(`${model}:grant:${grantId}`, {
      kind: 'state',
      statement: (db) => db.deleteFrom(table).where('brand', '=', brand).where('grant_id', '=', grantId),
    });
  };

export const createTokenAdapter = ({ db, brand }: AdapterContext, token: TokenModel): ModelAdapter => {
  const { model, table } = token;
  return {
    find: async (id) => {
      const unit = currentUnit();
      const row = await db
        .selectFrom(`${table as 'access_token'} as token`)
        .innerJoin('authorization_grant as owner', (join) =>
          join.onRef('owner.brand', '=', 'token.brand').onRef('owner.id', '=', 'token.grant_id'),
        )
        .select([
          'token.payload',
          'token.expires_at',
          'token.consumed_at',
          'token.grant_id',
          'owner.payload as grant_payload',
          'owner.expires_at as grant_expires_at',
          accountFactsOf('token.account_id').as('account'),
        ])
        .where('token.brand', '=', brand)
        .where('token.id_hash', '=', hashId(id))
        .executeTakeFirst();
      if (!row) return undefined;
      noteGrant(
        unit,
        row.grant_id,
        toGrantPayload(row.grant_id, { payload: row.grant_payload, expires_at: row.grant_expires_at }),
      );
      noteAccount(unit, row.account);
      return toTokenPayload(id, row);
    },

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      if (!unit || !payload.grantId)
        throw new Error(`${model} is issued inside a unit of work and under a grant`);
      const values = tokenColumns(brand, id, payload, expiresIn);
      unit.writes.set(`${model}:${id}`, {
        kind: 'issue',
        statement: (qc, guard) => insertWhere(qc, table, values, guard),
      });
      if (model !== 'AccessToken') return;
      const now = Math.floor(Date.now() / 1000);
      queueSlide(unit, brand, payload.grantId, now + Math.max(expiresIn, GRANT_AFTER_USE_SECONDS), false);
    },

    /** Settled by the database when the unit is written: of parallel requests one finds the row unspent. */
    consume: async (id) => {
      currentUnit()?.writes.set(`${model}:${id}:consume`, {
        kind: 'spend',
        statement: (qc) =>
          qc
            .updateTable(table)
            .set({ consumed_at: sql`now()` })
            .where('brand', '=', brand)
            .where('id_hash', '=', hashId(id))
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
      });
    },

    destroy: async (id) => {
      currentUnit()?.writes.set(`${model}:${id}`, {
        kind: 'state',
        statement: (qc) => qc.deleteFrom(table).where('brand', '=', brand).where('id_hash', '=', hashId(id)),
      });
    },

    revokeByGrantId: createRevokeByGrantId(brand, token),
  };
};
