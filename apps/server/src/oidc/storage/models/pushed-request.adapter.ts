import { type AdapterPayload, Provider } from 'oidc-provider';
import { readJwtPart } from '../../jwt/unverified-jwt.ts';
import type { AdapterContext, ModelAdapter } from '../adapter.ts';
import { endIn } from '../columns.ts';
import { currentUnit } from '../unit.ts';
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
    upsert: async (id, payload, expiresIn) => {
      const address = currentUnit()?.facts.address ?? '';
      if (Provider.ctx?.oidc.client?.clientAuthMethod === 'none')
        await anonymousLimits.require('pushed-request', address, String(payload.request).length);
      const kept = { ...payload, opensUntil: endIn(expiresIn) };
      await stored.upsert?.(id, kept, expiresIn + ANSWERED_WITHIN_SECONDS);
    },
    find: async (id) => {
      const found = await stored.find(id);
      if (!found) return undefined;
      const { opensUntil, ...payload } = found;
      const asking = Provider.ctx?.oidc?.params?.client_id;
      if (asking !== undefined && issuerOf(payload) !== asking) return undefined;
      return { ...payload, exp: Number(opensUntil) };
    },
  };
};
