import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An ES256 key of an app, and JWTs of it. */
export const createSigner = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const now = () => Math.floor(Date.now() / 1000);

  const signJwt = (header: Record<string, unknown>, claims: Record<string, unknown>): string => {
    const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  };

  return {
    jwk,
    /** RFC 7523 section 3. */
    assertion: (clientId: string, audience: string): string =>
      signJwt(
        {},
        {
          iss: clientId,
          sub: clientId,
          aud: audience,
          jti: randomUUID(),
          iat: now(),
          exp: now() + 60,
        },
      ),
    /** RFC 9449 section 4.2. */
    proof: (url: string, nonce: string | undefined): string =>
      signJwt(
        { typ: 'dpop+jwt', jwk },
        { jti: randomUUID(), htm: 'POST', htu: url, iat: now(), ...(nonce !== undefined && { nonce }) },
      ),
  };
};
