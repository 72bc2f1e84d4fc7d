import type { PageErrorCode } from '@candela/contract';
import type { Context } from 'koa';
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { ACCEPT_CH } from '../browser/client-hints.ts';
import { type ClientService, startAgainUri } from '../client/client.service.ts';
import { isOutage } from '../db/outage.ts';
import { stateOf } from '../http/request-state.ts';
import { addFormTargets } from '../http/security-headers.ts';
import type { Logger } from '../logger.ts';
import { escapeHtml, type Pages } from '../page/pages.ts';
import { textsOf } from '../texts/texts.ts';
import type { EnginePages } from './configuration.ts';
import { endpoints, LOGOUT_CONFIRM } from './endpoints.ts';
import { describeError } from './error-descriptions.ts';
import { createLogoutForm, faultOfLogout } from './logout.ts';
import { TooManyAnonymousRequests } from './request/anonymous-limits.ts';
import { LOGOUT_FORM } from './seam/engine-forms.ts';

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

/** Sources for form-action: origins of web apps, schemes of native ones, any port of theirs on this machine. */
const toFormTarget = (uri: string, native: boolean): string | undefined => {
  const url = URL.parse(uri);
  if (!url) return undefined;
  if (native && url.protocol === 'http:') return `http://${url.hostname}:*`;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol;
};

const uriLists = ['redirect_uris', 'post_logout_redirect_uris'] as const;

/** Where the forms of an authorization or logout flow of this client may lead. */
export const formTargetsOf = (metadata: Record<string, unknown> | undefined): string[] => {
  const native = metadata?.application_type === 'native';
  const uris = uriLists.flatMap((name) =>
    Array.isArray(metadata?.[name]) ? (metadata[name] as unknown[]) : [],
  );
  return [
    ...new Set(uris.map((uri) => toFormTarget(String(uri), native)).filter((target) => target !== undefined)),
  ];
};

/** Where the engine goes on with an authorization request after a person's answer. */
const RESUME = new RegExp(`^${endpoints.authorization}/([\\w-]+)$`);

const isLogout = ({ path }: Context): boolean => path === endpoints.end_session || path === LOGOUT_CONFIRM;

const NO_BREAK = /[^\x20-\x7e]/g;

/** To the page of the interaction that was to go on, if one was: it knows why it ended, and the way back to the app. */
const leadToInteraction = (ctx: Context): boolean => {
  const [, uid] = RESUME.exec(ctx.path) ?? [];
  if (!uid) return false;
  ctx.redirect(`/interaction/${uid}?ended`);
  ctx.status = 303;
  return true;
};

/** Whether the id_token is of who is signed in; a pairwise client knows them by a subject of its own. */
const isAboutSession = async ({ client, entities, session, provider }: KoaContextWithOIDC['oidc']) => {
  const { accountId } = session ?? {};
  if (!client || !accountId || !entities.IdTokenHint) return false;
  const claims = new provider.Claims({ sub: accountId }, { client });
  const { sub } = await claims.scope('openid').result();
  return entities.IdTokenHint.payload.sub === sub;
};

export const createEnginePages = ({ pages, clients, logger }: EnginePagesOptions): EnginePages => {
  const clientOf = async (ctx: Context) => {
    const id = ctx.oidc?.client?.clientId ?? ctx.oidc?.entities.Interaction?.params?.client_id;
    return typeof id === 'string' ? clients.findClient(id, stateOf(ctx).brand.id) : undefined;
  };

  /** Who meant to sign out still can; where the app wanted them afterwards is not gone to (RP-Initiated Logout section 4). */
  const renderLogoutFault = (
    ctx: Context,
    form: string,
    { error, error_description: description }: ErrorOut,
  ) => {
    const { locale, requestId } = stateOf(ctx);
    const texts = textsOf(locale).pages;
    const { status } = ctx;
    pages.renderNotice(ctx, {
      title: texts.signOutFaultTitle,
      lit: true,
      body: `<p>${texts.signOutFault}</p>${form}
<button class="primary" form="${LOGOUT_FORM}" name="logout" value="yes">${texts.signOut}</button>
<a class="button" href="/index">${texts.staySignedIn}</a>
<details><summary>${texts.forDevelopers}</summary><p><code>${escapeHtml(error)}</code></p>
<p lang="en">${escapeHtml(description ?? '')}</p><p>${texts.reference} <code>${requestId}</code></p></details>`,
    });
    ctx.status = status;
  };

  return {
    /** Never leads to a URI of the request: only to what the client registered. */
    renderError: async (ctx: KoaContextWithOIDC, out: ErrorOut, error: Error) => {
      const { requestId } = stateOf(ctx);
      const code = codeOf(error);
      if (code === 'interaction_expired' && leadToInteraction(ctx)) return;
      // An outage becomes a 503, and is told there.
      if (code === 'internal_error' && !isOutage(error))
        logger.error({ requestId, path: ctx.path, err: error }, 'engine failed');
      if (error instanceof errors.OIDCProviderError && isLogout(ctx)) {
        const form = createLogoutForm(ctx);
        if (form !== undefined) return renderLogoutFault(ctx, form, out);
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

    /**
     * Asks, unless the app proved by an id_token whose session it ends (RP-Initiated Logout section 2). Who
     * stays just leaves: the engine would end the app's part of the session, and the app would hear of no logout.
     */
    renderLogout: async (ctx: KoaContextWithOIDC, form: string) => {
      const fault = faultOfLogout(ctx);
      if (fault !== undefined) {
        const refused: ErrorOut = { error: 'invalid_request', error_description: fault };
        ctx.status = 400;
        return renderLogoutFault(ctx, form, refused);
      }
      const texts = textsOf(stateOf(ctx).locale).pages;
      const { oidc } = ctx;
      const hinted = await isAboutSession(oidc);
      const client = await clientOf(ctx);
      const stay = (client && startAgainUri(client)) ?? '/index';
      pages.renderNotice(ctx, {
        title: hinted ? texts.signingOut : texts.signOutTitle,
        lit: true,
        body: `${hinted ? '' : `<p>${texts.signOutQuestion}</p>`}${form}
<button class="primary" form="${LOGOUT_FORM}" name="logout" value="yes"${hinted ? ' id="go"' : ''}>${texts.signOut}</button>
${hinted ? '' : `<a class="button" href="${escapeHtml(stay)}">${texts.staySignedIn}</a>`}`,
        ...(hinted && { script: "document.getElementById('go').click()" }),
      });
      addFormTargets(ctx, formTargetsOf(client?.metadata));
    },

    renderGone: async (ctx: Context) => {
      if (leadToInteraction(ctx)) return;
      ctx.status = 410;
      pages.renderError(ctx, 'interaction_expired');
    },

    renderDevicePage: async (ctx: KoaContextWithOIDC, xsrf: string) => {
      ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
      ctx.set('Accept-CH', ACCEPT_CH);
      pages.renderDevicePage(ctx, { xsrf });
    },

    renderLoggedOut: async (ctx: KoaContextWithOIDC) => {
      const texts = textsOf(stateOf(ctx).locale).pages;
      pages.renderNotice(ctx, {
        title: texts.signedOutTitle,
        lit: false,
        body: `<p>${texts.signedOut}</p><a class="button" href="/index">${texts.signInAgain}</a>`,
      });
    },
  };
};
