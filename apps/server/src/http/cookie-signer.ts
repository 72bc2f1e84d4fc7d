import { createHmac, timingSafeEqual } from 'node:crypto';

/** The part of Keygrip that Koa and the engine use. */
export interface CookieSigner {
  sign(data: string): string;
  verify(data: string, digest: string): boolean;
  /** 0 for a signature by any of the keys, -1 for any other. */
  index(data: string, digest: string): number;
}

/**
 * Signs cookies as Keygrip does, with the first key, and verifies with all keys. Keygrip also answers which key verified,
 * and Koa signs anew where that is not the first key. The new cookie has no expiry, so a person who closes the browser
 * would be signed out. This signer leaves the signature as it is until the cookie is next set.
 */
export const createCookieSigner = (keys: readonly string[]): CookieSigner => {
  const signWith = (key: string, data: string) => createHmac('sha1', key).update(data).digest('base64url');
  const isEqual = (a: string, b: string) =>
    a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
  const verify = (data: string, digest: string) => keys.some((key) => isEqual(signWith(key, data), digest));
  return {
    sign: (data) => signWith(keys[0] ?? '', data),
    verify,
    index: (data, digest) => (verify(data, digest) ? 0 : -1),
  };
};
