import { hashToken } from '../../../ground/opaque-token.ts';
import { type OidcModelRow, oidcModelColumns } from '../../../link/oidc-model/oidc-model.table.ts';
import { endIn, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

const toPayload = (row: OidcModelRow, id: string): AdapterPayload => ({
  ...row.payload,
  jti: id,
  exp: toSeconds(row.expires_at),
  ...(row.consumed_at && { consumed: toSeconds(row.consumed_at) }),
});

/** The columns that saving an entity again changes. */
const toChangingColumns = ({ jti: _jti, exp: _exp, ...stored }: AdapterPayload, expiresIn: number) => ({
  account_id: stored.accountId ?? null,
  grant_id: stored.grantId ?? null,
  payload: json(toJson(stored)),
  expires_at: time(endIn(expiresIn)),
});

/** The storage of models off the hot path: pushed requests, client credentials. It writes at once. */
export const createOidcModelAdapter = ({ db, brand }: AdapterContext, model: string) => {
  /** The primary key. */
  const keyOf = (id: string) => ({ brand, model, id_hash: hashToken(id) });

  return {
    find: async (id: string) => {
      const row = await db
        .selectFrom('oidc_model')
        .select(oidcModelColumns)
        .where((eb) => eb.and(keyOf(id)))
        .executeTakeFirst();
      return row && toPayload(row, id);
    },

    upsert: async (id: string, payload: AdapterPayload, expiresIn: number) => {
      const changing = toChangingColumns(payload, expiresIn);
      await db
        .insertInto('oidc_model')
        .values({
          ...keyOf(id),
          brand: text(brand),
          client_id: payload.clientId ?? null,
          ...changing,
        })
        .onConflict((conflict) => conflict.columns(['brand', 'model', 'id_hash']).doUpdateSet(changing))
        .execute();
    },

    destroy: async (id: string) => {
      await db
        .deleteFrom('oidc_model')
        .where((eb) => eb.and(keyOf(id)))
        .execute();
    },
  } satisfies ModelAdapter;
};
