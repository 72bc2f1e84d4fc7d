import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { stateOf } from '../../http/request-state.ts';
import { STEP_UP_SECONDS } from './step-up.service.ts';

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).stepUp;

/** The cookie of a step-up. It is good in its own session alone, so it authenticates nobody. */
export const readStepUp = (ctx: Context): string | undefined =>
  ctx.cookies.get(nameOf(ctx), { signed: true });

export const setStepUp = (ctx: Context, token: string): void => {
  ctx.cookies.set(nameOf(ctx), token, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: STEP_UP_SECONDS * 1000,
  });
};
