import { isOwnPath } from '@candela/contract/rules/own-path';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { ACCEPT_CH } from '../browser/client-hints.ts';
import { stateOf } from '../http/request-state.ts';
import { documentIds } from '../legal/document.ts';
import { endpoints } from '../oidc/endpoints.ts';
import { documentPaths } from '../page/document-html.ts';
import { createDocumentPage } from '../page/document-page.ts';
import type { Pages } from '../page/pages.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { keepReturnTo, RETURN_TO_LENGTH, takeReturnTo } from './return-cookies.ts';

export interface PortalRoutesOptions {
  pages: Pages;
  /** Who this browser is signed in as, if anyone. */
  findCurrent(ctx: Context): Promise<CurrentSession | undefined>;
}

const HOME = '/index';
const prompts = ['login', 'create', 'select_account'] as const;

/** A path of our own origin; anything that a browser could read as another origin becomes the home page. */
const safeReturnTo = (value: unknown, origin: string): string => {
  if (
    typeof value !== 'string' ||
    value.length > RETURN_TO_LENGTH ||
    !isOwnPath(value) ||
    !/^[\x21-\x7e]*$/.test(value)
  )
    return HOME;
  const url = URL.parse(value, origin);
  if (!url || url.origin !== origin) return HOME;
  const leadsBack = ['/sign-in', '/login', '/register', '/middle'].includes(url.pathname);
  const path = `${url.pathname}${url.search}`;
  return leadsBack || path.length > RETURN_TO_LENGTH ? HOME : path;
};

const seeOther = (ctx: Context, location: string) => {
  ctx.redirect(location);
  ctx.status = 303;
};

/** The portal's pages, and the authorization request of its own that signs people in. */
export const createPortalRoutes = ({ pages, findCurrent }: PortalRoutesOptions): Router => {
  const router = new Router();
  const page: Middleware = async (ctx) => {
    // Asked for on every page, so that the sign-in which follows brings them; no page is worth a second request.
    ctx.set('Accept-CH', ACCEPT_CH);
    pages.renderPage(ctx);
  };

  const signInFor = (returnTo: string, prompt?: string) =>
    `/sign-in?${new URLSearchParams({ return_to: returnTo, ...(prompt && { prompt }) })}`;

  /** Nothing opens such a page and talks to it; the pages of a sign-in are opened by apps, as popups. */
  const standAlone = (ctx: Context) => ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  const inInteraction = ({ query }: Context) =>
    typeof query.interaction === 'string' && query.interaction !== '';

  const onlySignedIn = async (ctx: Context, next: Next) => {
    standAlone(ctx);
    if (await findCurrent(ctx)) return next();
    return seeOther(ctx, signInFor(`${ctx.path}${ctx.search}`));
  };
  const onlyInInteraction =
    (prompt: (ctx: Context) => Promise<string | undefined>) => async (ctx: Context, next: Next) => {
      if (inInteraction(ctx)) return next();
      return seeOther(ctx, signInFor(HOME, await prompt(ctx)));
    };

  router.get('/', async (ctx: Context) => seeOther(ctx, HOME));
  for (const path of ['/index', '/tokens', '/sessions']) router.get(path, onlySignedIn, page);
  for (const path of ['/consent', '/undo']) router.get(path, page);
  router.get(
    '/findbackPWD',
    async (ctx, next) => {
      if (!inInteraction(ctx)) standAlone(ctx);
      await next();
    },
    page,
  );
  for (const id of documentIds) router.get(documentPaths[id], createDocumentPage(pages, id));
  router.get(
    '/login',
    onlyInInteraction(async (ctx) => ((await findCurrent(ctx)) ? 'select_account' : undefined)),
    page,
  );
  router.get(
    '/register',
    onlyInInteraction(async () => 'create'),
    page,
  );

  router.get('/sign-in', async (ctx: Context) => {
    const { origin } = stateOf(ctx).brand;
    const state = keepReturnTo(ctx, safeReturnTo(ctx.query.return_to, origin));
    const prompt = prompts.find((name) => name === ctx.query.prompt);
    const request = new URLSearchParams({
      client_id: PORTAL_CLIENT_ID,
      response_type: 'none',
      redirect_uri: `${origin}/middle`,
      scope: 'openid',
      state,
      ...(prompt && { prompt }),
    });
    seeOther(ctx, `${endpoints.authorization}?${request}`);
  });

  router.get('/middle', async (ctx: Context) => {
    const { state, iss, error } = ctx.query;
    const { origin } = stateOf(ctx).brand;
    if (typeof state !== 'string' || !/^[\w-]{22}$/.test(state) || iss !== origin)
      return pages.renderPage(ctx);
    const returnTo = takeReturnTo(ctx, state);
    if (returnTo === undefined) return pages.renderPage(ctx);
    // Never back to /sign-in: a refusal would go round for ever.
    if (error !== undefined) return seeOther(ctx, '/error?reason=sign_in_failed');
    return seeOther(ctx, safeReturnTo(returnTo, origin));
  });

  router.get('/error', async (ctx: Context) => {
    ctx.status = 200;
    if (ctx.query.reason === 'sign_in_failed') return pages.renderError(ctx, 'sign_in_failed');
    return pages.renderPage(ctx);
  });

  router.get('/.well-known/change-password', async (ctx: Context) => seeOther(ctx, HOME));

  return router;
};
