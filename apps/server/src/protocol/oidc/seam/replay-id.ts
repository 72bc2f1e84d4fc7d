import { hash } from 'node:crypto';

/**
 * The id by which the engine's `ReplayDetection` knows that a JWT was seen: of a DPoP proof (RFC 9449 section 11.1)
 * the issuer is the client's id, of a client assertion (RFC 7523 section 3) its `iss`, which is the client's id too.
 */
export const replayIdOf = (issuer: string, jti: string): string =>
  hash('sha256', `${issuer}${jti}`, 'base64url');
