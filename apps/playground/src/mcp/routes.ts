import Router from '@koa/router';
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import { createTokenVerifier } from './access-token.ts';
import { renderAssistants } from './assistants.page.ts';
import { lampScopes } from './lamp-api.ts';
import { createLampServer } from './lamp-server.ts';
import { createLamps } from './lamps.ts';
import { answerWith, toWebRequest } from './web-request.ts';

export interface McpOptions {
  /** The origin of the playground. */
  url: string;
  issuer: string;
}

/** RFC 9728 section 3: the path of the resource follows the well-known one. Some clients ask without it. */
const METADATA = '/.well-known/oauth-protected-resource';

const maxBodyBytes = 64 * 1024;

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
  const lamps = createLamps();
  const handler = createMcpHandler(({ authInfo }) => createLampServer(lamps, authInfo), {
    maxRequestBodySize: maxBodyBytes,
  });
  const resourceMetadataUrl = `${url}${METADATA}/mcp`;
  const rules = {
    verifier: createTokenVerifier({ issuer, resource }),
    requiredScopes: ['lamps:read'],
    expectedResource: new URL(resource),
    resourceMetadataUrl,
  };

  const serve = async (request: Request): Promise<Response> => {
    let authInfo: AuthInfo;
    try {
      authInfo = await verifyBearerToken(request.headers.get('Authorization'), rules);
    } catch (error) {
      // RFC 6750 section 3: `scope` names what a client should ask for.
      return bearerAuthChallengeResponse(error, { requiredScopes: scopes, resourceMetadataUrl });
    }
    return handler.fetch(request, { authInfo });
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
