import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { readJwt } from '../support/token.ts';
import type { World } from '../support/world.ts';

/**
 * Verifies an access token as an API does (RFC 9068 section 4): type, signature by the published keys, issuer,
 * audience and time. Returns its claims.
 */
export const acceptAccessToken = async (
  { origin }: Pick<World, 'origin'>,
  token: string,
  audience: string,
) => {
  const insecure = { [oauth.allowInsecureRequests]: origin.startsWith('http:') };
  const server = await oauth.processDiscoveryResponse(
    new URL(origin),
    await oauth.discoveryRequest(new URL(origin), { ...insecure, algorithm: 'oauth2' }),
  );
  // The library accepts a key-bound token (RFC 9449) only with its proof.
  if (!readJwt(token).payload.cnf) {
    const request = new Request(audience, { headers: { authorization: `Bearer ${token}` } });
    await oauth.validateJwtAccessToken(server, request, audience, insecure);
  }
  const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''));
  const { protectedHeader, payload } = await jwtVerify(token, keys, {
    typ: 'at+jwt',
    issuer: origin,
    audience,
  });
  return { header: protectedHeader, payload };
};
