import type { Context } from 'koa';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { textsOf } from '../../branding/texts/texts.ts';
import type { Client, ClientService } from '../../clients/client/client.service.ts';
import { startAgainUri } from '../../clients/client/client-summary.ts';
import { html, raw } from '../../http/html.ts';
import { stateOf } from '../../http/request-state.ts';
import { addFormTargets } from '../../http/security-headers.ts';
import type { Pages } from '../page/pages.ts';
import { formTargetsOf } from './form-targets.ts';
import { faultOfLogout } from './logout.ts';
import { LOGOUT_FORM } from './seam/engine-forms.ts';

/** Whether the id_token is about the account that is signed in, which a pairwise client knows by a subject of its own. */
const isAboutSession = async ({ client, entities, session, provider }: KoaContextWithOIDC['oidc']) => {
  const { accountId } = session ?? {};
  if (!client || !accountId || !entities.IdTokenHint) return false;
  const claims = new provider.Claims({ sub: accountId }, { client });
  const { sub } = await claims.scope('openid').result();
  return entities.IdTokenHint.payload.sub === sub;
};

/** The registered client of a request that the engine serves. */
export const createClientOf =
  (clients: ClientService) =>
  async (ctx: Context): Promise<Client | undefined> => {
    const id = ctx.oidc?.client?.clientId ?? ctx.oidc?.entities.Interaction?.params?.client_id;
    return typeof id === 'string' ? clients.findClient(id, stateOf(ctx).brand.id) : undefined;
  };

/** The pages of RP-Initiated Logout. */
export const createLogoutPages = ({ pages, clients }: { pages: Pages; clients: ClientService }) => {
  const clientOf = createClientOf(clients);

  /** Offers to sign out although the request is refused; it leads nowhere afterwards (RP-Initiated Logout section 4). */
  const renderFault = (ctx: Context, form: string, { error, error_description: description }: ErrorOut) => {
    const { locale, requestId } = stateOf(ctx);
    const texts = textsOf(locale).pages;
    const { status } = ctx;
    pages.renderNotice(ctx, {
      title: texts.signOutFaultTitle,
      lit: true,
      body: html`<p>${texts.signOutFault}</p>${raw(form)}
<button class="primary" form="${LOGOUT_FORM}" name="logout" value="yes">${texts.signOut}</button>
<a class="button" href="/index">${texts.staySignedIn}</a>
<details><summary>${texts.forDevelopers}</summary><p><code>${error}</code></p>
<p lang="en">${description}</p><p>${texts.reference} <code>${requestId}</code></p></details>`,
    });
    ctx.status = status;
  };

  return {
    renderFault,

    /**
     * Asks the person, unless the app proved by an id_token which session it ends (RP-Initiated Logout section 2). To
     * stay is a link: the engine would end the app's part of the session without a logout to the app.
     */
    renderLogout: async (ctx: KoaContextWithOIDC, form: string) => {
      const fault = faultOfLogout(ctx);
      if (fault !== undefined) {
        const refused: ErrorOut = { error: 'invalid_request', error_description: fault };
        ctx.status = 400;
        return renderFault(ctx, form, refused);
      }
      const texts = textsOf(stateOf(ctx).locale).pages;
      const { oidc } = ctx;
      const hinted = await isAboutSession(oidc);
      const client = await clientOf(ctx);
      const stay = (client && startAgainUri(client)) ?? '/index';
      pages.renderNotice(ctx, {
        title: hinted ? texts.signingOut : texts.signOutTitle,
        lit: true,
        body: html`${!hinted && html`<p>${texts.signOutQuestion}</p>`}${raw(form)}
<button class="primary" form="${LOGOUT_FORM}" name="logout" value="yes"${hinted && html` id="go"`}>${texts.signOut}</button>
${!hinted && html`<a class="button" href="${stay}">${texts.staySignedIn}</a>`}`,
        ...(hinted && { script: "document.getElementById('go').click()" }),
      });
      addFormTargets(ctx, formTargetsOf(client?.metadata));
    },

    renderLoggedOut: async (ctx: KoaContextWithOIDC) => {
      const texts = textsOf(stateOf(ctx).locale).pages;
      pages.renderNotice(ctx, {
        title: texts.signedOutTitle,
        lit: false,
        body: html`<p>${texts.signedOut}</p><a class="button" href="/index">${texts.signInAgain}</a>`,
      });
    },
  };
};
