import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { isBrowserId } from '../ground/browser/browser-id.ts';
import { createOpaqueToken } from '../ground/opaque-token.ts';
import { stateOf } from './request-state.ts';

const LIFETIME_MS = 400 * 24 * 3600 * 1000;

/** What requests gave to browsers that had no id: the same request reads it again. */
const given = new WeakMap<Context, string>();

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).device;

/** The pre-session cookie distinguishes browsers before anyone is signed in, and authenticates nobody. */
export const readBrowserId = (ctx: Context): string | undefined => {
  const value = ctx.cookies.get(nameOf(ctx), { signed: true });
  return value && isBrowserId(value) ? value : given.get(ctx);
};

/** The id of the browser, given to it now where it has none. */
export const ensureBrowserId = (ctx: Context): string => readBrowserId(ctx) ?? renewBrowserId(ctx);

/** Lets the browser keep its id for another 400 days, under the cookie key of today. */
export const renewBrowserId = (ctx: Context): string => {
  const browserId = readBrowserId(ctx) ?? createOpaqueToken();
  given.set(ctx, browserId);
  ctx.cookies.set(nameOf(ctx), browserId, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: LIFETIME_MS,
  });
  return browserId;
};
