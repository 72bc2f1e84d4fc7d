import type { Middleware } from 'koa';
import { AppError } from '../errors.ts';
import { stateOf } from './request-state.ts';

const READING = new Set(['GET', 'HEAD']);

/**
 * Refuses a state-changing request unless the browser says that it comes from the same origin: by `Origin`, or by
 * `Sec-Fetch-Site` where there is no `Origin`. A request with neither header is refused.
 */
export const sameOrigin: Middleware = async (ctx, next) => {
  if (READING.has(ctx.method)) return next();
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  const ours = origin !== '' ? origin === stateOf(ctx).brand?.origin : site === 'same-origin';
  if (!ours || (site !== '' && site !== 'same-origin')) throw new AppError('cross_site');
  return next();
};
