import { type Configuration, errors } from 'oidc-provider';
import { isFapiAlgorithm } from '../../client/fapi.ts';
import { faultOfTimes } from '../jwt/jwt-times.ts';
import { isRequestObject } from '../request/request-object.ts';
import { policyOf } from './client-policy.ts';

type AssertClaims = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

export const clientAssertionAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'] as const;

const refuse = (debug: string): never => {
  throw new errors.InvalidClientAuth(`the client_assertion ${debug}`);
};

/**
 * What RFC 7523 section 3 leaves to the server, beside what the engine checks: no assertion out of the future, none
 * that is good for longer than an hour, and nothing that was signed to be a request object. Of a FAPI client the
 * audience is the issuer alone, as a string (FAPI 2.0 Security Profile section 5.3.2.1), and RS256 signs nothing
 * (section 5.4.1); of others OpenID Connect Core section 9 lets it be the endpoint, too.
 * @throws InvalidClientAuth
 */
export const assertClientAssertion: AssertClaims = (ctx, claims, header, client) => {
  const fault = faultOfTimes(claims);
  if (fault) refuse(fault);
  if (isRequestObject(header)) refuse('is a request object');
  if (!policyOf(client).fapi) return;
  if (claims.aud !== ctx.oidc.issuer) refuse('has another aud than the issuer as a string');
  if (!isFapiAlgorithm(header.alg)) refuse(`is signed with ${header.alg}`);
};
