import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { isDeviceId } from '../browser/device-id.ts';
import { createOpaqueToken } from '../opaque-token.ts';
import { stateOf } from './request-state.ts';

const LIFETIME_MS = 400 * 24 * 3600 * 1000;

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).device;

/** The pre-session cookie: tells browsers apart before anyone is signed in, and authenticates nobody. */
export const readDevice = (ctx: Context): string | undefined => {
  const value = ctx.cookies.get(nameOf(ctx), { signed: true });
  return value && isDeviceId(value) ? value : undefined;
};

/** The browser's device id, given to it now where it has none. */
export const ensureDevice = (ctx: Context): string => readDevice(ctx) ?? renewDevice(ctx);

/** Lets the browser keep its device id for another 400 days, under the cookie key of today. */
export const renewDevice = (ctx: Context): string => {
  const device = readDevice(ctx) ?? createOpaqueToken();
  ctx.cookies.set(nameOf(ctx), device, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: LIFETIME_MS,
  });
  return device;
};
