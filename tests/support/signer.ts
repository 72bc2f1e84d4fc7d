import { randomUUID } from 'node:crypto';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** An app’s own key. */
export interface SigningKey {
  privateKey: CryptoKey;
  /** Its public part. */
  jwk: JWK;
  thumbprint: string;
}

export const createSigningKey = async (alg = 'ES256'): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
};

const seconds = () => Math.floor(Date.now() / 1000);

/** A valid client assertion (RFC 7523 section 3), except for `claims` and `header`. */
export const signAssertion = (
  { privateKey }: { privateKey: CryptoKey | Uint8Array },
  { clientId, audience }: { clientId: string; audience: string },
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> => {
  const times = { iat: seconds(), exp: seconds() + 60 };
  return new SignJWT({ iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), ...times, ...claims })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(privateKey);
};

/** A valid DPoP proof (RFC 9449 section 4.2), except for `claims` and `header`. */
export const signProof = (
  { privateKey, jwk }: SigningKey,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> =>
  new SignJWT({ jti: randomUUID(), iat: seconds(), ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
    .sign(privateKey);

/** A valid request object (RFC 9101 section 4), except for `parameters` and `header`. */
export const signRequest = (
  { privateKey }: { privateKey: CryptoKey | Uint8Array },
  { clientId, audience }: { clientId: string; audience: string },
  parameters: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> => {
  const times = { iat: seconds(), nbf: seconds(), exp: seconds() + 60 };
  return new SignJWT({ iss: clientId, aud: audience, client_id: clientId, ...times, ...parameters })
    .setProtectedHeader({ typ: 'oauth-authz-req+jwt', alg: 'ES256', ...header })
    .sign(privateKey);
};
