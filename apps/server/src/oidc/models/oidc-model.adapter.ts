import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import { type OidcModelRow, oidcModelColumns } from '../../oidc-model/oidc-model.table.ts';
import { hashToken } from '../../opaque-token.ts';
import { endIn, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/**
 * The storage of models off the hot path: pushed requests, client credentials. It writes at once.
 * @param toUsedError makes the error for a request that consumes an entity after another did.
 */
export const createOidcModelAdapter = (
  { db, brand }: AdapterContext,
  model: string,
  toUsedError: () => Error = () => new errors.InvalidGrant('already consumed'),
) => {
  const select = () =>
    db
      .selectFrom('oidc_model')
      .select(oidcModelColumns)
      .where('brand', '=', brand)
      .where('model', '=', model);
  const toPayload = (row: OidcModelRow | undefined, id: string): AdapterPayload | undefined =>
    row && {
      ...row.payload,
      jti: id,
      exp: toSeconds(row.expires_at),
      ...(row.consumed_at && { consumed: toSeconds(row.consumed_at) }),
    };

  return {
    find: async (id: string) =>
      toPayload(await select().where('id_hash', '=', hashToken(id)).executeTakeFirst(), id),

    upsert: async (id: string, payload: AdapterPayload, expiresIn: number) => {
      const { jti: _jti, exp: _exp, ...stored } = payload;
      const changing = {
        account_id: payload.accountId ?? null,
        grant_id: payload.grantId ?? null,
        payload: json(toJson(stored)),
        expires_at: time(endIn(expiresIn)),
      };
      await db
        .insertInto('oidc_model')
        .values({
          brand: text(brand),
          model,
          id_hash: hashToken(id),
          client_id: payload.clientId ?? null,
          ...changing,
        })
        .onConflict((conflict) => conflict.columns(['brand', 'model', 'id_hash']).doUpdateSet(changing))
        .execute();
    },

    /** @throws the error of `toUsedError`. */
    consume: async (id: string) => {
      const spent = await db
        .updateTable('oidc_model')
        .set({ consumed_at: sql`now()` })
        .where('brand', '=', brand)
        .where('model', '=', model)
        .where('id_hash', '=', hashToken(id))
        .where('consumed_at', 'is', null)
        .returning('id_hash')
        .executeTakeFirst();
      if (!spent) throw toUsedError();
    },

    destroy: async (id: string) => {
      await db
        .deleteFrom('oidc_model')
        .where('brand', '=', brand)
        .where('model', '=', model)
        .where('id_hash', '=', hashToken(id))
        .execute();
    },
  } satisfies ModelAdapter;
};
