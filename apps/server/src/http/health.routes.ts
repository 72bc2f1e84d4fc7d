import type Router from '@koa/router';
import { createRouter } from '../ground/router.ts';

export interface HealthOptions {
  version: string;
  /** Whether the database answers and its schema is this release's. */
  isReady(): Promise<boolean>;
}

/** Answers, on any host, whether the process lives, whether it can serve, and which release it is. */
export const createHealthRoutes = ({ version, isReady }: HealthOptions): Router => {
  const router = createRouter();
  router.get('/healthz', async (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const ready = await isReady().catch(() => false);
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', '2');
    ctx.body = { status: ready ? 'ready' : 'unavailable' };
  });
  router.get('/version', async (ctx) => {
    ctx.body = { version };
  });
  return router;
};
