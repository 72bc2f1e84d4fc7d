import { HOME_PAGE } from '@candela/contract/pages';
import { PROVIDER_LINKED } from '@candela/contract/rules/provider-return';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ProviderFlow } from '../../federation/flow/provider-flow.service.ts';
import type { ProviderLinking } from '../../federation/linking/provider-linking.service.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { readFormAsQuery } from '../../http/form-body.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { Pages } from '../page/pages.ts';

export interface ProviderCallbackOptions {
  providerFlow: ProviderFlow;
  providerLinking: Pick<ProviderLinking, 'link'>;
  findCurrent(ctx: Context): Promise<CurrentSession | undefined>;
  pages: Pages;
  events: EventSink;
}

/** Apple sends a name, a code and a state. */
const FORM_LIMIT_BYTES = 16 * 1024;

type AtProvider = Context & { params: { id: string } };

/** The redirect URI at identity providers, and the end of a way that was to link one. */
export const createProviderCallbackRoutes = (options: ProviderCallbackOptions): Router => {
  const { providerFlow, providerLinking, findCurrent, pages, events } = options;
  const router = createRouter();

  /**
   * Leads on to where the cookies are: a posted answer comes without them, and those of an interaction are for its path
   * alone. Only we decide where that is: nothing of the answer does.
   */
  const leadOn = async (ctx: Context, parameters: URLSearchParams): Promise<void> => {
    const { id: provider } = (ctx as AtProvider).params;
    const { brand } = stateOf(ctx);
    const place = await providerFlow.comeBack({ brand, provider }, parameters);
    if (!place) {
      ctx.status = 410;
      events.emit('provider.refused', { brand: brand.id, reason: 'provider_expired' });
      pages.renderError(ctx, 'provider_expired', {
        startAgain: { name: brand.name, uri: `${brand.origin}${HOME_PAGE}` },
      });
      return;
    }
    const state = new URLSearchParams({ state: parameters.get('state') ?? '' });
    if ('session' in place) return seeOther(ctx, `/sign-in/${provider}/link?${state}`);
    return seeOther(ctx, `/interaction/${place.interaction}/provider/${provider}/answer?${state}`);
  };

  router.get('/sign-in/:id/callback', (ctx: Context) => leadOn(ctx, new URLSearchParams(ctx.querystring)));

  router.post('/sign-in/:id/callback', async (ctx: Context) =>
    leadOn(ctx, new URLSearchParams(await readFormAsQuery(ctx, FORM_LIMIT_BYTES))),
  );

  router.get('/sign-in/:id/link', async (ctx: Context) => {
    const { id: provider } = (ctx as AtProvider).params;
    const { brand } = stateOf(ctx);
    const linked = async (): Promise<string> => {
      const current = await findCurrent(ctx);
      if (!current) throw new AppError('not_signed_in');
      const who = { brand, provider, browserId: ensureBrowserId(ctx) };
      const state = typeof ctx.query.state === 'string' ? ctx.query.state : '';
      const identity = await providerFlow.identify(who, state, { session: current.uid });
      await providerLinking.link(current, { brand, provider }, identity);
      return PROVIDER_LINKED;
    };
    const reason = await linked().catch((error: unknown) => {
      if (error instanceof AppError)
        return error.code === 'interaction_expired' ? 'provider_expired' : error.code;
      throw error;
    });
    seeOther(ctx, `${HOME_PAGE}?${new URLSearchParams({ provider, reason })}`);
  });

  return router;
};
