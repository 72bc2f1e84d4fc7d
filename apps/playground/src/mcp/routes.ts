import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { renderAssistants } from './assistants.page.ts';
import { lampScopes } from './lamp-api.ts';
import type { createServing } from './serve.ts';
import { answerWith, toWebRequest } from './web-request.ts';

export interface McpOptions {
  /** The origin of the playground. */
  url: string;
  issuer: string;
}

/** RFC 9728 section 3: the path of the resource follows the well-known one. Some clients ask without it. */
const METADATA = '/.well-known/oauth-protected-resource';

/** Any page may read the answers: they depend on the token alone, which a page has to have. */
const openToPages: Middleware = async (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, Mcp-Session-Id');
  if (ctx.method !== 'OPTIONS') return await next();
  ctx.set('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  ctx.set(
    'Access-Control-Allow-Headers',
    ctx.get('Access-Control-Request-Headers') || 'Authorization, Content-Type',
  );
  ctx.status = 204;
};

/** A browser that shows pages; a client of the protocol asks for an event stream. */
const wantsPage = (ctx: Context): boolean =>
  ctx.method === 'GET' && /\btext\/html\b/.test(ctx.get('Accept')) && !ctx.get('Authorization');

/**
 * An MCP server with two lamps for each person, as an API of the authorization server: the Model Context Protocol,
 * revision 2026-07-28, and 2025-11-25 for clients that know no later one.
 */
export function createMcpRoutes({ url, issuer }: McpOptions): Router {
  const resource = `${url}/mcp`;
  const scopes = lampScopes.map(({ name }) => name);
  const resourceMetadataUrl = `${url}${METADATA}/mcp`;
  // Most who start the playground have no assistant: what serves one is loaded when one comes.
  let serving: Promise<ReturnType<typeof createServing>> | undefined;
  const serve = async (request: Request): Promise<Response> => {
    serving ??= import('./serve.ts').then((part) =>
      part.createServing({ issuer, resource, resourceMetadataUrl }),
    );
    return (await serving)(request);
  };

  const router = new Router();
  for (const path of [METADATA, `${METADATA}/mcp`]) {
    router.all(path, openToPages, (ctx) => {
      ctx.body = {
        resource,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Playground lamps',
        resource_documentation: resource,
      };
    });
  }
  router.all('/mcp', openToPages, async (ctx: Context) => {
    if (wantsPage(ctx)) {
      ctx.type = 'html';
      ctx.body = renderAssistants({ url: resource, issuer });
      return;
    }
    answerWith(ctx, await serve(await toWebRequest(ctx, url)));
  });
  return router;
}
