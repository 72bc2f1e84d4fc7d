import { type Configuration, errors } from 'oidc-provider';
import { endIn } from './columns.ts';

type AssertClaims = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

/** An assertion is for this one request; its id is remembered until it ends. */
const LONGEST_LIFE_SECONDS = 3600;
const CLOCK_TOLERANCE_SECONDS = 60;

export const clientAssertionAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'] as const;

const refuse = (debug: string): never => {
  throw new errors.InvalidClientAuth(debug);
};

/**
 * What RFC 7523 section 3 leaves to the server, beside what the engine checks: no assertion out of the future,
 * and none that is good for longer than an hour.
 * @throws InvalidClientAuth
 */
export const assertClientAssertion: AssertClaims = (_ctx, { iat, exp }) => {
  const now = endIn(0);
  if (iat !== undefined && (typeof iat !== 'number' || iat > now + CLOCK_TOLERANCE_SECONDS))
    refuse('the client_assertion was issued in the future');
  if (typeof exp !== 'number' || exp > now + LONGEST_LIFE_SECONDS + CLOCK_TOLERANCE_SECONDS)
    refuse('the client_assertion is good for more than an hour');
};
