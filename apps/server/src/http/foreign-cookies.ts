import type { Middleware } from 'koa';
import type { CookieSigner } from './cookie-signer.ts';

const SIGNATURE = '.sig';

const unquote = (value: string) => (value.startsWith('"') ? value.slice(1, -1) : value);

/** A Cookie header's pairs, as they are written and as `cookies` reads them. */
const readPairs = (header: string) =>
  header.split(';').map((text) => {
    const pair = text.replace(/^ +/, '');
    const equals = pair.indexOf('=');
    return { text, name: pair.slice(0, Math.max(equals, 0)), value: unquote(pair.slice(equals + 1)) };
  });

/** A Cookie header without the signatures that no key made; of two cookies with one name the first counts. */
const withoutForeignSignatures = (header: string, signer: CookieSigner): string => {
  const pairs = readPairs(header);
  const values = new Map(pairs.toReversed().map(({ name, value }) => [name, value]));
  const foreign = new Set<string>();
  for (const [name, signature] of values) {
    const signed = name.endsWith(SIGNATURE) ? name.slice(0, -SIGNATURE.length) : '';
    const value = values.get(signed);
    if (signed && value !== undefined && !signer.verify(`${signed}=${value}`, signature)) foreign.add(name);
  }
  if (foreign.size === 0) return header;
  return pairs
    .filter(({ name }) => !foreign.has(name))
    .map(({ text }) => text)
    .join(';');
};

/**
 * Takes a cookie whose signature no key verifies as one that is not there. `cookies` would delete its signature
 * in the browser too, and a process with other COOKIE_KEYS than the rest would sign people out everywhere.
 */
export const createForeignCookieFilter =
  (signer: CookieSigner): Middleware =>
  (ctx, next) => {
    const { headers } = ctx.req;
    if (headers.cookie?.includes(`${SIGNATURE}=`))
      headers.cookie = withoutForeignSignatures(headers.cookie, signer);
    return next();
  };
