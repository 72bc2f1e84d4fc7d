import { sql } from 'kysely';
import type { AdapterContext, ModelAdapter } from '../adapter.ts';
import { endIn, hashId, json, text, time } from '../columns.ts';

/** Longer than any proof or assertion is accepted for; the engine's save then sets the true end. */
const CLAIM_SECONDS = 3600;
const MODEL = 'ReplayDetection';

/**
 * The engine asks whether an id was seen and saves it in a second step. Here asking is claiming, at
 * once and in one statement: of parallel requests, in any process, one is told "not seen".
 */
export const createReplayDetectionAdapter = ({ db, brand }: AdapterContext): ModelAdapter => ({
  find: async (id) => {
    const claimed = await db
      .insertInto('oidc_model')
      .values({
        brand,
        model: MODEL,
        id_hash: hashId(id),
        payload: json('{}'),
        expires_at: time(endIn(CLAIM_SECONDS)),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['brand', 'model', 'id_hash'])
          .doUpdateSet({ expires_at: sql`excluded.expires_at` })
          .where('oidc_model.expires_at', '<', sql<Date>`now()`),
      )
      .returning('id_hash')
      .executeTakeFirst();
    return claimed ? undefined : { jti: id };
  },

  upsert: async (id, _payload, expiresIn) => {
    await db
      .updateTable('oidc_model')
      .set({ expires_at: time(endIn(expiresIn)) })
      .where('brand', '=', text(brand))
      .where('model', '=', MODEL)
      .where('id_hash', '=', hashId(id))
      .execute();
  },
});
