import type { PageErrorCode } from '@candela/contract';
import type { Context } from 'koa';
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { ClientService } from '../../clients/client/client.service.ts';
import { startAgainUri } from '../../clients/client/client-summary.ts';
import { ACCEPT_CH } from '../../ground/browser/client-hints.ts';
import { isOutage } from '../../ground/db/outage.ts';
import type { Logger } from '../../ground/logger.ts';
import { loggedPath } from '../../http/logged-path.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Pages } from '../page/pages.ts';
import type { EnginePages } from './configuration.ts';
import { endpoints, LOGOUT_CONFIRM } from './endpoints.ts';
import { describeError } from './error-descriptions.ts';
import { createLogoutForm } from './logout.ts';
import { createClientOf, createLogoutPages } from './logout-pages.ts';
import { TooManyAnonymousRequests } from './request/anonymous-limits.ts';

export interface EnginePagesOptions {
  pages: Pages;
  clients: ClientService;
  logger: Logger;
}

const codeOf = (error: unknown): PageErrorCode => {
  if (error instanceof errors.InvalidRedirectUri) return 'redirect_uri_mismatch';
  if (error instanceof errors.InvalidClient) return 'unknown_client';
  if (error instanceof errors.SessionNotFound) return 'interaction_expired';
  if (error instanceof TooManyAnonymousRequests) return 'rate_limited';
  return error instanceof errors.OIDCProviderError ? 'invalid_request' : 'internal_error';
};

/** Where the engine goes on with an authorization request after a person's answer. */
const RESUME = new RegExp(`^${endpoints.authorization}/([\\w-]+)$`);

const isLogout = ({ path }: Context): boolean => path === endpoints.end_session || path === LOGOUT_CONFIRM;

const NO_BREAK = /[^\x20-\x7e]/g;

/** Leads to the page of the interaction that was to go on, if one was: it says why it ended, and the way to the app. */
const leadToInteraction = (ctx: Context): boolean => {
  const [, uid] = RESUME.exec(ctx.path) ?? [];
  if (!uid) return false;
  ctx.redirect(`/interaction/${uid}?ended`);
  ctx.status = 303;
  return true;
};

export const createEnginePages = ({ pages, clients, logger }: EnginePagesOptions): EnginePages => {
  const clientOf = createClientOf(clients);
  const logout = createLogoutPages({ pages, clients });

  const enginePages: EnginePages = {
    /** Never leads to a URI of the request: only to what the client registered. */
    renderError: async (ctx: KoaContextWithOIDC, out: ErrorOut, error: Error) => {
      const { requestId } = stateOf(ctx);
      const code = codeOf(error);
      if (code === 'interaction_expired' && leadToInteraction(ctx)) return;
      // An outage becomes a 503, which is logged where it is answered.
      if (code === 'internal_error' && !isOutage(error))
        logger.error({ requestId, path: loggedPath(ctx.path), err: error }, 'engine failed');
      if (error instanceof errors.OIDCProviderError && isLogout(ctx)) {
        const form = createLogoutForm(ctx);
        if (form !== undefined) return logout.renderFault(ctx, form, out);
      }
      const client =
        code === 'redirect_uri_mismatch' ? undefined : await clientOf(ctx).catch(() => undefined);
      const uri = client && startAgainUri(client);
      const name = client?.metadata.client_name;
      const description = describeError(ctx, out) ?? out.error_description;
      pages.renderError(ctx, code, {
        oauthError: out.error,
        ...(description && { oauthErrorDescription: description.replaceAll(NO_BREAK, ' ') }),
        ...(uri && { startAgain: { name: typeof name === 'string' ? name : client.id, uri } }),
      });
    },

    renderLogout: logout.renderLogout,
    renderLoggedOut: logout.renderLoggedOut,

    renderGone: async (ctx: Context) => {
      if (leadToInteraction(ctx)) return;
      ctx.status = 410;
      pages.renderError(ctx, 'interaction_expired');
    },

    renderUsed: async (ctx) => {
      const error = new errors.InvalidRequestUri('request_uri was already used');
      ctx.status = error.statusCode;
      const { error: name, error_description } = error;
      await enginePages.renderError(
        ctx,
        { error: name, ...(error_description && { error_description }) },
        error,
      );
    },

    renderDevicePage: async (ctx: KoaContextWithOIDC, xsrf: string) => {
      ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
      ctx.set('Accept-CH', ACCEPT_CH);
      pages.renderDevicePage(ctx, { xsrf });
    },
  };
  return enginePages;
};
