import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { isBrowserId } from '../../ground/browser/browser-id.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import { stateOf } from '../../http/request-state.ts';
import { TRUST_SECONDS } from './trusted-browser.service.ts';

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).trust;

/** The cookie of trust. It authenticates nobody: it stands for a browser, beside the pre-session cookie. */
export const readTrust = (ctx: Context): string | undefined => {
  const value = ctx.cookies.get(nameOf(ctx), { signed: true });
  return value && isBrowserId(value) ? value : undefined;
};

/** The value that the cookie has or is to get: several accounts share the cookie of a browser. */
export const nextTrust = (ctx: Context): string => readTrust(ctx) ?? createOpaqueToken();

/** Lets the browser keep its cookie of trust for another 30 days. */
export const setTrust = (ctx: Context, token: string): void => {
  ctx.cookies.set(nameOf(ctx), token, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: TRUST_SECONDS * 1000,
  });
};
