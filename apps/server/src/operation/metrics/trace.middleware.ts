import type { Middleware } from 'koa';
import { currentTracer } from '../../ground/trace/trace.ts';
import { stateOf } from '../../http/request-state.ts';
import { methodOf, routeOf } from './route-of.ts';

/**
 * Makes a span of each request, where the process traces. A span has the template of the path, never the path or the
 * query. A stranger could make the server trace everything, so that only a trusted proxy hands a trace on.
 */
export const createTraceMiddleware =
  ({ trustProxy }: { trustProxy: number }): Middleware =>
  async (ctx, next) => {
    const tracer = currentTracer();
    if (!tracer) return next();
    const parent = trustProxy > 0 ? ctx.get('traceparent') : undefined;
    await tracer.inSpan({ name: methodOf(ctx), kind: 'server', parent }, async (span) => {
      await next();
      const route = routeOf(ctx);
      const method = methodOf(ctx);
      span.rename(`${method} ${route}`);
      span.note({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': ctx.status,
        'candela.request_id': stateOf(ctx).requestId,
      });
      if (ctx.status >= 500) span.fail();
    });
  };
