import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405, and what is allowed instead, where a path is there and its method is not (RFC 9110 section 15.5.6). */
export const createMethodCheck = (routers: readonly Router[]): Middleware => {
  const allowedAt = (path: string) => [
    ...new Set(routers.flatMap((router) => router.match(path, '').path.flatMap(({ methods }) => methods))),
  ];
  return async (ctx, next) => {
    const isKnown = METHODS.includes(ctx.method);
    if (isKnown) await next();
    if (isKnown && (ctx.status !== 404 || ctx.body !== undefined)) return;
    const allowed = allowedAt(ctx.path);
    if (isKnown && allowed.length === 0) return;
    ctx.set('Allow', (allowed.length > 0 ? allowed : METHODS).join(', '));
    throw new AppError('method_not_allowed');
  };
};
