import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../ground/errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Refuses methods that no route of the path has, and lists the methods that have one (RFC 9110 section 15.5.6). */
export const createMethodCheck =
  (routers: readonly Router[]): Middleware =>
  async (ctx, next) => {
    if (METHODS.includes(ctx.method)) return next();
    const layers = routers.flatMap((router) => router.match(ctx.path, '').path);
    const allowed = new Set(layers.flatMap(({ methods }) => methods));
    ctx.set('Allow', [...(allowed.size > 0 ? allowed : METHODS)].join(', '));
    throw new AppError('method_not_allowed');
  };
