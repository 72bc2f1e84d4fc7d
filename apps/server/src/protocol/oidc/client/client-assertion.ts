import { type Configuration, errors } from 'oidc-provider';
import { isFapiAlgorithm } from '../../../clients/client/fapi.ts';
import { faultOfTimes } from '../jwt/jwt-times.ts';
import { typeOfJwt } from '../jwt/jwt-type.ts';
import { policyOf } from './client-policy.ts';

type AssertClaims = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

export const clientAssertionAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'] as const;

/** What an assertion may call itself: nothing, a JWT, or an assertion (draft-ietf-oauth-rfc7523bis). */
const ASSERTION_TYPES: ReadonlySet<string> = new Set(['', 'jwt', 'client-authentication+jwt']);

const refuse = (debug: string): never => {
  throw new errors.InvalidClientAuth(`the client_assertion ${debug}`);
};

/**
 * Checks what RFC 7523 section 3 leaves to the server beside the engine's checks: an assertion is not issued in the
 * future, lasts an hour at most, has one audience, so that nobody else who received it can present it here, and is no
 * other kind of JWT (RFC 8725 section 3.11). A FAPI client's assertion has the issuer alone as its
 * audience, as a string (FAPI 2.0 Security Profile section 5.3.2.1), and is not signed with RS256 (section 5.4.1). Any
 * other client may name the endpoint (OpenID Connect Core section 9).
 * @throws InvalidClientAuth
 */
export const assertClientAssertion: AssertClaims = (ctx, claims, header, client) => {
  const fault = faultOfTimes(claims);
  if (fault) refuse(fault);
  if (Array.isArray(claims.aud) && claims.aud.length !== 1)
    refuse('has another number of audiences than one');
  const type = typeOfJwt(header);
  if (!ASSERTION_TYPES.has(type)) refuse(`is another kind of JWT: ${type}`);
  if (!policyOf(client).fapi) return;
  if (claims.aud !== ctx.oidc.issuer) refuse('has another aud than the issuer as a string');
  if (!isFapiAlgorithm(header.alg)) refuse(`is signed with ${header.alg}`);
};
