import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A signing key of a played provider: its public part as a JWK, and what it signs. */
export interface PlayedKey {
  jwk: JWK;
  sign(claims: JWTPayload, type?: string): Promise<string>;
}

/** The claims stay as they are given: a provider sets `iat` and `exp` itself, or leaves them out. */
export const createPlayedKey = async (alg: 'RS256' | 'ES256' = 'RS256'): Promise<PlayedKey> => {
  const { privateKey, publicKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (claims, typ = 'JWT') => new SignJWT(claims).setProtectedHeader({ alg, kid, typ }).sign(privateKey),
  };
};

/** OpenID Connect Core 1.0 section 3.1.3.6, for a hash of 256 bits. */
export const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
