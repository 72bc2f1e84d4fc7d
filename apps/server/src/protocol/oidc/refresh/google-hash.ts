import { createHash } from 'node:crypto';

const sha512 = (bytes: string | Buffer): Buffer => createHash('sha512').update(bytes).digest();

/**
 * What Google knows a refresh token by: `hash_base64_sha512_sha512` of its account linking API, section RISC. The token
 * has 256 bits of chance, so the hash tells nothing of it.
 */
export const googleHashOf = (token: string): string => sha512(sha512(token)).toString('base64');
