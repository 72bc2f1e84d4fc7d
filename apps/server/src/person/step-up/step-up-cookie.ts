import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { stateOf } from '../../http/request-state.ts';
import { STEP_UP_SECONDS } from './step-up.service.ts';

const nameOf = (ctx: Context) => cookieNames(stateOf(ctx).brand.origin).stepUp;

/** As many kinds of proof as one change takes, and one more. */
const MOST_STEP_UPS = 3;

/** The values of the last step-ups, the newest first. They are good in their own session alone: they authenticate nobody. */
export const readStepUps = (ctx: Context): string[] =>
  ctx.cookies.get(nameOf(ctx), { signed: true })?.split('.') ?? [];

/** Adds a step-up to those of the browser. */
export const setStepUp = (ctx: Context, token: string): void => {
  const tokens = [token, ...readStepUps(ctx)].slice(0, MOST_STEP_UPS);
  ctx.cookies.set(nameOf(ctx), tokens.join('.'), {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: STEP_UP_SECONDS * 1000,
  });
};
