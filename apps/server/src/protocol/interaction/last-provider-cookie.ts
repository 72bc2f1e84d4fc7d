import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { stateOf } from '../../http/request-state.ts';

const LIFETIME_MS = 400 * 24 * 3600 * 1000;

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).provider;

/** The id of the identity provider that this browser signed in through last. It says nothing of the person. */
export const readLastProvider = (ctx: Context): string | undefined =>
  ctx.cookies.get(nameOf(ctx), { signed: true });

export const setLastProvider = (ctx: Context, id: string): void => {
  ctx.cookies.set(nameOf(ctx), id, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: LIFETIME_MS,
  });
};
