import type { Context, Middleware } from 'koa';
import { AppError } from '../ground/errors.ts';
import { stateOf } from './request-state.ts';

const READING = new Set(['GET', 'HEAD']);

/**
 * Whether the request comes from an identity provider: its answer, which proves itself by its `state`, or what it tells
 * by itself, which it signs. Neither reads a cookie.
 */
const isByProvider = ({ path }: Context): boolean => /^\/sign-in\/[^/]+\/(?:callback|events)$/.test(path);

/**
 * Whether the request proves itself by a token in place of a cookie. No page of another origin can send one: it would
 * need CORS, which these paths do not have. The routes of these paths do not read the cookie then; those of signals
 * never do.
 */
const isByToken = (ctx: Context): boolean =>
  /^\/ssf\//.test(ctx.path) ||
  (/^\/api\/(?:clients|approvals)(?:\/|$)/.test(ctx.path) &&
    /^(?:bearer|dpop) /i.test(ctx.get('authorization')));

/**
 * Refuses a state-changing request unless the browser says that it comes from the same origin: by `Origin`, or by
 * `Sec-Fetch-Site` where there is no `Origin`. A request with neither header is refused.
 */
export const sameOrigin: Middleware = async (ctx, next) => {
  if (READING.has(ctx.method) || isByToken(ctx) || isByProvider(ctx)) return next();
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  const ours = origin !== '' ? origin === stateOf(ctx).brand?.origin : site === 'same-origin';
  if (!ours || (site !== '' && site !== 'same-origin')) throw new AppError('cross_site');
  return next();
};

/**
 * Refuses to answer a page of another site what can be read once, which a link there would use up, and what is recorded
 * when it is read. Whoever types the address gets it.
 */
export const refuseOtherSites = async (ctx: Context): Promise<void> => {
  if (['cross-site', 'same-site'].includes(ctx.get('sec-fetch-site'))) throw new AppError('cross_site');
};
