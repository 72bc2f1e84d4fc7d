import { createHash } from 'node:crypto';
import { type EngineClient, policyOf } from '../client/client-policy.ts';

const sha512 = (bytes: string | Buffer): Buffer => createHash('sha512').update(bytes).digest();

/**
 * What Google knows a refresh token by: `hash_base64_sha512_sha512` of its account linking API, section RISC. The token
 * has 256 bits of chance, so the hash tells nothing of it.
 */
const googleHashOf = (token: string): string => sha512(sha512(token)).toString('base64');

/** The hash of a token that the client keeps; undefined where it is not Google's. */
export const hashKeptByGoogle = (client: EngineClient | undefined, token: string): string | undefined =>
  policyOf(client).platform === 'google-home' ? googleHashOf(token) : undefined;
