import type { Middleware } from 'koa';
import { secondsUntil } from '../ground/db/clock.ts';

const EXPIRES = /; ?expires=([^;]+)/i;
const MAX_AGE = /; ?max-age=/i;

/** A Set-Cookie line with the lifetime of its cookie in seconds, which no clock spoils (RFC 6265 section 5.2.2). */
const withMaxAge = (line: string): string => {
  const expires = Date.parse(EXPIRES.exec(line)?.[1] ?? '');
  if (Number.isNaN(expires) || MAX_AGE.test(line)) return line;
  return `${line}; max-age=${secondsUntil(expires)}`;
};

/**
 * Gives every cookie that ends a `Max-Age` beside its `Expires`, the engine's too. The package `cookies` writes the end
 * by the clock of the process: where that is behind, browsers would drop what they were given.
 */
export const createCookieLifetimes = (): Middleware => async (ctx, next) => {
  await next();
  if (ctx.res.hasHeader('Set-Cookie'))
    ctx.set('Set-Cookie', [ctx.response.get('Set-Cookie')].flat().map(withMaxAge));
};
