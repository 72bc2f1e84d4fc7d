import { createHash } from 'node:crypto';
import { accountApi, approvalApi, clientApi, interactionApi, locales, toOpenApi } from '@candela/contract';
import type Router from '@koa/router';
import { supportUri } from '../../branding/brand/brand.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { mountAppLinks } from './app-links.ts';

export interface DocumentOptions {
  version: string;
  now: () => Date;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** The OpenAPI document of one origin, and its entity tag. */
const writeOpenApi = (origin: string, version: string) => {
  const endpoints = { ...interactionApi, ...accountApi, ...clientApi, ...approvalApi };
  const text = JSON.stringify(toOpenApi(endpoints, origin, version));
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
};

/** The OpenAPI document, `security.txt` for security researchers, and what phones read of the brand's apps. */
export const createDocumentRoutes = ({ version, now }: DocumentOptions): Router => {
  const router = createRouter();

  // Made at the first request: it takes some milliseconds, and never changes.
  const written = new Map<string, ReturnType<typeof writeOpenApi>>();
  router.get('/openapi.json', async (ctx) => {
    const { origin } = stateOf(ctx).brand;
    const { text, etag } = written.get(origin) ?? writeOpenApi(origin, version);
    written.set(origin, { text, etag });
    ctx.set('ETag', etag);
    ctx.type = 'json';
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  });

  mountAppLinks(router);

  // RFC 9116.
  router.get('/.well-known/security.txt', async (ctx) => {
    const { origin, support } = stateOf(ctx).brand;
    ctx.type = 'text/plain';
    ctx.body = [
      `Contact: ${supportUri(support ?? `security@${new URL(origin).hostname}`)}`,
      `Expires: ${new Date(now().getTime() + YEAR_MS).toISOString()}`,
      `Preferred-Languages: ${locales.join(', ')}`,
      `Canonical: ${origin}/.well-known/security.txt`,
      '',
    ].join('\n');
  });

  return router;
};
