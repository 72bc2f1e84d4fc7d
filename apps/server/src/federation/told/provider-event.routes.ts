import type Router from '@koa/router';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { readBody } from '../../http/json-body.ts';
import { stateOf } from '../../http/request-state.ts';
import type { ProviderEventService } from './provider-event.service.ts';

const LIMIT_BYTES = 64 * 1024;

export interface ProviderEventRoutesOptions {
  providerEvents: ProviderEventService;
}

/**
 * Where identity providers tell what happened to people there, by push (RFC 8935) or in a form of their own. What they
 * send is signed: no cookie and no origin counts.
 */
export const createProviderEventRoutes = ({ providerEvents }: ProviderEventRoutesOptions): Router => {
  const router = createRouter();
  router.post('/sign-in/:id/events', async (ctx) => {
    const body = (await readBody(ctx, LIMIT_BYTES)).toString('utf8');
    try {
      ctx.status = await providerEvents.hear(stateOf(ctx).brand, ctx.params.id ?? '', body);
      ctx.body = '';
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      // RFC 8935 section 2.4.
      ctx.status = 400;
      ctx.body = { err: 'invalid_request', description: 'not signed by the provider for this server' };
    }
  });
  return router;
};
