import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { stateOf } from './request-state.ts';

/** Makes the browser forget the session and everything that it kept of this origin's answers. */
export const clearSession = (ctx: Context): void => {
  const { origin } = stateOf(ctx).brand;
  ctx.cookies.set(cookieNames(origin).session, null, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
  });
  ctx.set('Clear-Site-Data', '"cache", "storage"');
};
