import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { errors, Provider } from 'oidc-provider';
import { hashToken } from '../../../opaque-token.ts';
import { readJwtPart } from '../../jwt/unverified-jwt.ts';
import { requireBoundedParameters } from '../../request/parameter-bounds.ts';
import type { AdapterContext, ModelAdapter } from '../adapter.ts';
import { endIn, json, text, time } from '../columns.ts';
import { currentUnit } from '../unit.ts';

/** Longer than any proof or assertion is accepted for; the engine's save then sets the true end. */
const CLAIM_SECONDS = 3600;
const MODEL = 'ReplayDetection';

/** Whether the engine asks about the request's DPoP proof; it asks about client assertions in the same way. */
const isOfProof = (id: string): boolean => {
  const ctx = Provider.ctx;
  const proof = ctx?.get('DPoP');
  if (!ctx || !proof) return false;
  const { Client: client, AccessToken: token } = ctx.oidc.entities;
  const clientId = client?.clientId ?? token?.clientId;
  return hash('sha256', `${clientId}${readJwtPart(proof, 1)?.jti}`, 'base64url') === id;
};

/**
 * The request of a caller that nobody knows, pushed with a proof: the engine asks of the proof before it has looked
 * at the rest. Wherever else it asks, a code, a token or an assertion has told already who calls.
 */
const anonymousPush = () => {
  const oidc = Provider.ctx?.oidc;
  const isAnonymous = oidc?.client?.clientAuthMethod === 'none';
  return isAnonymous && oidc.route === 'pushed_authorization_request' ? oidc : undefined;
};

/**
 * The engine asks whether an id was seen and saves it in a second step. Here asking is claiming, at
 * once and in one statement: of parallel requests, in any process, one is told "not seen".
 * A DPoP proof sent again is refused as one (RFC 9449 section 11.1): the engine would call it `invalid_grant`,
 * which tells an app that its link is gone.
 */
export const createReplayDetectionAdapter = ({
  db,
  brand,
  anonymousLimits,
}: AdapterContext): ModelAdapter => ({
  find: async (id) => {
    const pushing = anonymousPush();
    if (pushing) {
      requireBoundedParameters({ ...pushing.params });
      await anonymousLimits.require('proof', currentUnit()?.facts.address ?? '', 0);
    }
    const claimed = await db
      .insertInto('oidc_model')
      .values({
        brand,
        model: MODEL,
        id_hash: hashToken(id),
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
    if (claimed) return undefined;
    if (isOfProof(id)) throw new errors.InvalidDpopProof('DPoP proof was used before');
    return { jti: id };
  },

  upsert: async (id, _payload, expiresIn) => {
    await db
      .updateTable('oidc_model')
      .set({ expires_at: time(endIn(expiresIn)) })
      .where('brand', '=', text(brand))
      .where('model', '=', MODEL)
      .where('id_hash', '=', hashToken(id))
      .execute();
  },
});
