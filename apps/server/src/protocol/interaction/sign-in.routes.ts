import type { Prompt } from '@candela/contract';
import type { StrongClass } from '@candela/contract/rules/authentication-classes';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';
import { endpoints } from '../oidc/endpoints.ts';
import type { Pages } from '../page/pages.ts';
import { keepReturnTo, takeReturnTo } from './return-cookies.ts';
import { safeReturnTo } from './return-path.ts';

export interface SignInRoutesOptions {
  pages: Pages;
  /** The weakest class of sign-in of a developer; undefined: every class. */
  developersNeed: StrongClass | undefined;
}

const isOfDevelopers = (returnTo: string): boolean => /^\/developers(?:[/?]|$)/.test(returnTo);

const prompts: readonly Prompt[] = ['login', 'create', 'select_account'];

/** The portal's own authorization request: `/sign-in` begins it, `/middle` is its redirect URI. */
export const createSignInRoutes = ({ pages, developersNeed }: SignInRoutesOptions): Router => {
  const router = createRouter();

  router.get('/sign-in', async (ctx: Context) => {
    const { origin } = stateOf(ctx).brand;
    const returnTo = safeReturnTo(ctx.query.return_to, origin);
    const state = keepReturnTo(ctx, returnTo);
    const needed = isOfDevelopers(returnTo) ? developersNeed : undefined;
    const prompt = prompts.find((name) => name === ctx.query.prompt);
    const request = new URLSearchParams({
      client_id: PORTAL_CLIENT_ID,
      response_type: 'none',
      redirect_uri: `${origin}/middle`,
      scope: 'openid',
      state,
      ...(prompt && { prompt }),
      ...(needed && { acr_values: needed }),
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

  return router;
};
