import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { HttpError, type Middleware } from 'koa';
import { createAuthorizationServer, type Registration } from './authorization-server.ts';
import { canonicalOrigin, sameOriginForms, securityHeaders } from './browser-safety.ts';
import { renderRefusal } from './layout.ts';
import { createMcpRoutes } from './mcp/routes.ts';
import { createRoutes } from './routes.ts';
import { createVisitors } from './visitors.ts';

export interface PlaygroundOptions {
  /** 0 chooses any free port. */
  port: number;
  host: string;
  issuer: string;
  clientId: string;
  /** The app sends it by HTTP Basic (client_secret_basic). */
  clientSecret: string;
}

export interface Playground {
  /** `http://localhost:<port>`; the redirect URI is `<url>/callback`, and `<url>/` follows a sign-out. */
  url: string;
  close(): Promise<void>;
}

/** Starts a third-party app that signs in with the issuer. The issuer may start later. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const listener = createServer();
  listener.listen(options.port, options.host);
  await once(listener, 'listening');
  const url = `http://localhost:${(listener.address() as AddressInfo).port}`;
  listener.on(
    'request',
    createApp(url, {
      issuer: options.issuer,
      clientId: options.clientId,
      clientSecret: options.clientSecret,
      redirectUri: `${url}/callback`,
      postLogoutRedirectUri: `${url}/`,
    }).callback(),
  );
  return {
    url,
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}

function createApp(url: string, registration: Registration): Koa {
  const app = new Koa();
  const routes = createRoutes(registration, createAuthorizationServer(registration), createVisitors());
  app.use(securityHeaders(registration.issuer));
  app.use(refusals);
  app.use(canonicalOrigin(url));
  // Programs ask it, from anywhere; it knows nothing of the visitors of the pages.
  app.use(createMcpRoutes({ url, issuer: registration.issuer }).routes());
  app.use(sameOriginForms(url));
  app.use(routes.routes());
  return app;
}

/** Answers every refusal and failure with a page, which gives the reason of an expected refusal only. */
const refusals: Middleware = async (ctx, next) => {
  try {
    await next();
    if (ctx.status === 404 && !ctx.body) ctx.throw(404, 'There is no such page.');
  } catch (error) {
    const isExpected = error instanceof HttpError && error.expose;
    if (!isExpected) ctx.app.emit('error', error, ctx);
    ctx.status = isExpected ? error.status : 500;
    ctx.type = 'html';
    ctx.body = renderRefusal(
      ctx.status,
      isExpected ? error.message : 'The playground failed at this. Its log has the reason.',
    );
  }
};
