import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import { hashToken } from '../../../ground/opaque-token.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';
import { requireBoundedParameters } from '../request/parameter-bounds.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { replayIdOf } from '../seam/replay-id.ts';
import { endIn, json, text, time } from '../storage/columns.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';

/** Longer than any proof or assertion is good; the engine's save then sets the true end. */
const CLAIM_SECONDS = 3600;
const MODEL = 'ReplayDetection';

/**
 * The ids that a request has claimed, and for how many seconds. A client may give its assertion and its DPoP proof the
 * same jti: either RFC knows its own, and the engine has one storage for both. What the request claimed for the first
 * is its own for the second, and no other request gets either.
 */
const claims = new WeakMap<UnitOfWork, Map<string, number>>();

/** Whether the engine asks about the request's DPoP proof; it asks about client assertions in the same way. */
const isOfProof = (id: string, { proof, client, accessToken }: EngineRequest): boolean => {
  if (!proof) return false;
  const clientId = client?.clientId ?? accessToken?.clientId;
  return replayIdOf(String(clientId), String(readJwtPart(proof, 1)?.jti)) === id;
};

/**
 * Whether an anonymous caller pushes a request with a proof. There the engine looks at the proof before anything else;
 * elsewhere a code, a token or an assertion has shown who calls.
 */
const isAnonymousPush = ({ client, route }: EngineRequest): boolean =>
  client?.clientAuthMethod === 'none' && route === 'pushed_authorization_request';

/**
 * The storage of ids that may be used once. The engine looks an id up, and saves it in a second step. Here the look-up
 * claims the id in one statement, at once: of parallel requests, in any process, one finds it unused.
 * A DPoP proof that is sent again is refused as `invalid_dpop_proof` (RFC 9449 section 11.1). The engine would answer
 * `invalid_grant`, by which an app would think its link gone.
 */
export const createReplayDetectionAdapter = ({
  db,
  brand,
  anonymousLimits,
}: AdapterContext): ModelAdapter => ({
  find: async (id, { unit, request }) => {
    if (isAnonymousPush(request)) {
      requireBoundedParameters(request.parameters);
      await anonymousLimits.require('proof', unit.facts.address, 0);
    }
    const own = claims.get(unit) ?? new Map<string, number>();
    if (own.has(id)) return undefined;
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
    if (claimed) {
      claims.set(unit, own.set(id, 0));
      return undefined;
    }
    if (isOfProof(id, request)) throw new errors.InvalidDpopProof('DPoP proof was used before');
    return { jti: id };
  },

  upsert: async (id, _payload, expiresIn, { unit }) => {
    // Of two with one jti the one that is good for longer says when it is free again.
    const seconds = Math.max(expiresIn, claims.get(unit)?.get(id) ?? 0);
    claims.get(unit)?.set(id, seconds);
    await db
      .updateTable('oidc_model')
      .set({ expires_at: time(endIn(seconds)) })
      .where('brand', '=', text(brand))
      .where('model', '=', MODEL)
      .where('id_hash', '=', hashToken(id))
      .execute();
  },
});
