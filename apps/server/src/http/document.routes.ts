import { accountApi, interactionApi, toOpenApi } from '@candela/contract';
import Router from '@koa/router';
import { stateOf } from './request-state.ts';

export interface DocumentOptions {
  version: string;
  now: () => Date;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** What programs and researchers read about the service. */
export const createDocumentRoutes = ({ version, now }: DocumentOptions): Router => {
  const router = new Router();

  router.get('/openapi.json', async (ctx) => {
    ctx.body = toOpenApi({ ...interactionApi, ...accountApi }, stateOf(ctx).brand.origin, version);
  });

  // RFC 9116.
  router.get('/.well-known/security.txt', async (ctx) => {
    const { origin } = stateOf(ctx).brand;
    const { hostname } = new URL(origin);
    ctx.type = 'text/plain';
    ctx.body = [
      `Contact: mailto:security@${hostname}`,
      `Expires: ${new Date(now().getTime() + YEAR_MS).toISOString()}`,
      'Preferred-Languages: en, zh, ru',
      `Canonical: ${origin}/.well-known/security.txt`,
      '',
    ].join('\n');
  });

  return router;
};
