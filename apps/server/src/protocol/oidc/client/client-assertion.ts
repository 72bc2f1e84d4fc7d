import { type Configuration, errors } from 'oidc-provider';
import { isFapiAlgorithm } from '../../../clients/client/fapi.ts';
import { faultOfTimes } from '../jwt/jwt-times.ts';
import { REQUEST_OBJECT_TYPE, typeOfJwt } from '../jwt/jwt-type.ts';
import { policyOf } from './client-policy.ts';

type AssertClaims = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

export const clientAssertionAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'] as const;

const refuse = (debug: string): never => {
  throw new errors.InvalidClientAuth(`the client_assertion ${debug}`);
};

/**
 * Checks what RFC 7523 section 3 leaves to the server beside the engine's checks: an assertion is not issued in the
 * future, lasts an hour at most, and is no request object. A FAPI client's assertion has the issuer alone as its
 * audience, as a string (FAPI 2.0 Security Profile section 5.3.2.1), and is not signed with RS256 (section 5.4.1). Any
 * other client may name the endpoint (OpenID Connect Core section 9).
 * @throws InvalidClientAuth
 */
export const assertClientAssertion: AssertClaims = (ctx, claims, header, client) => {
  const fault = faultOfTimes(claims);
  if (fault) refuse(fault);
  if (typeOfJwt(header) === REQUEST_OBJECT_TYPE) refuse('is a request object');
  if (!policyOf(client).fapi) return;
  if (claims.aud !== ctx.oidc.issuer) refuse('has another aud than the issuer as a string');
  if (!isFapiAlgorithm(header.alg)) refuse(`is signed with ${header.alg}`);
};
