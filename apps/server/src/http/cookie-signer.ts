import { createHmac, timingSafeEqual } from 'node:crypto';

/** What Koa and the engine ask of a Keygrip. */
export interface CookieSigner {
  sign(data: string): string;
  verify(data: string, digest: string): boolean;
  /** 0 for a signature of any of the keys, -1 for none. */
  index(data: string, digest: string): number;
}

/**
 * Signs cookies as Keygrip does, with the first key, and verifies with all of them. Keygrip also tells which key
 * it was, and then the signature is made anew, without the cookie's end: a person who closes the browser would be
 * signed out. Here it stays as it is until the cookie is next set.
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
