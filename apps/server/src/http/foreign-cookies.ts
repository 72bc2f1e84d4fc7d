import type { Middleware } from 'koa';
import type { CookieSigner } from './cookie-signer.ts';

const SIGNATURE = '.sig';

const unquote = (value: string) => (value.startsWith('"') ? value.slice(1, -1) : value);

/** The pairs of a Cookie header, as written and as the package `cookies` reads them. */
const readPairs = (header: string) =>
  header.split(';').map((text) => {
    const pair = text.replace(/^ +/, '');
    const equals = pair.indexOf('=');
    return { text, name: pair.slice(0, Math.max(equals, 0)), value: unquote(pair.slice(equals + 1)) };
  });

/** A Cookie header without the signatures that no key made. The first of two cookies with one name counts. */
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
 * Ignores cookies whose signature no key verifies. The package `cookies` would also delete the signature in the browser,
 * so a process with wrong COOKIE_KEYS would sign people out of every process.
 */
export const createForeignCookieFilter =
  (signer: CookieSigner): Middleware =>
  (ctx, next) => {
    const { headers } = ctx.req;
    if (headers.cookie?.includes(`${SIGNATURE}=`))
      headers.cookie = withoutForeignSignatures(headers.cookie, signer);
    return next();
  };
