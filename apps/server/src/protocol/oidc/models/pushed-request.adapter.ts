import { randomUUID } from 'node:crypto';
import { errors } from 'oidc-provider';
import { hashToken } from '../../../ground/opaque-token.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';
import { endIn } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';
import { createOidcModelAdapter } from './oidc-model.adapter.ts';
import { PUSHED_REQUEST, spendPushedRequest } from './pushed-request.repository.ts';

/** How long a person may take to answer a request that was opened in time. */
const ANSWERED_WITHIN_SECONDS = 3600;

/** The client that pushed the request: the issuer of the JWT as which the engine keeps the request. */
const issuerOf = ({ request }: AdapterPayload): unknown => readJwtPart(String(request), 1)?.iss;

/**
 * The storage of pushed requests. Only the client that pushed a request finds it (RFC 9126 section 2.2). The row outlasts
 * the request: where two browsers open it in time, one answer counts, however late.
 */
export const createPushedRequestAdapter = (context: AdapterContext): ModelAdapter => {
  const { anonymousLimits, brand } = context;
  const stored = createOidcModelAdapter(context, PUSHED_REQUEST);
  return {
    ...stored,
    upsert: async (id, payload, expiresIn, { unit, request }) => {
      if (request.client?.clientAuthMethod === 'none')
        await anonymousLimits.require('pushed-request', unit.facts.address, String(payload.request).length);
      // The engine gives it what is left of the request object, and tolerates one that has just ended.
      if (expiresIn < 1) throw new errors.InvalidRequestObject('the request object has ended');
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
    /** With the code: a request that is not answered is not spent. */
    consume: async (id, { unit }) =>
      unit.spend(row.pushedRequest(id), spendPushedRequest, {
        brand,
        idHash: hashToken(id),
        mark: randomUUID(),
      }),
  };
};
