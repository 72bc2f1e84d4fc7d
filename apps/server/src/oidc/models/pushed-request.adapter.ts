import { readJwtPart } from '../jwt/unverified-jwt.ts';
import { endIn } from '../storage/columns.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';
import { createOtherAdapter } from './other.adapter.ts';

/** As long as somebody may take to answer a request that was opened in time. */
const ANSWERED_WITHIN_SECONDS = 3600;

const MODEL = 'PushedAuthorizationRequest';

/** Who pushed it: the engine keeps the request as a JWT that the client is the issuer of. */
const issuerOf = ({ request }: AdapterPayload): unknown => readJwtPart(String(request), 1)?.iss;

/**
 * A pushed request is for the client that pushed it alone (RFC 9126 section 2.2): nobody else finds it. Its row
 * outlasts it, so that one opened twice in time is answered once however late.
 */
export const createPushedRequestAdapter = (context: AdapterContext): ModelAdapter => {
  const { anonymousLimits } = context;
  const stored = createOtherAdapter(context, MODEL);
  return {
    ...stored,
    upsert: async (id, payload, expiresIn, { unit, request }) => {
      if (request.client?.clientAuthMethod === 'none')
        await anonymousLimits.require('pushed-request', unit.facts.address, String(payload.request).length);
      const kept = { ...payload, opensUntil: endIn(expiresIn) };
      await stored.upsert(id, kept, expiresIn + ANSWERED_WITHIN_SECONDS);
    },
    find: async (id, { request }) => {
      const found = await stored.find(id);
      if (!found) return undefined;
      const { opensUntil, ...payload } = found;
      const asking = request.parameters.client_id;
      if (asking !== undefined && issuerOf(payload) !== asking) return undefined;
      return { ...payload, exp: Number(opensUntil) };
    },
  };
};
