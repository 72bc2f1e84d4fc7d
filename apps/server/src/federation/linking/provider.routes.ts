import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ProviderFlow } from '../flow/provider-flow.service.ts';
import type { ProviderLinking } from './provider-linking.service.ts';

export interface ProviderRoutesOptions {
  providerFlow: ProviderFlow;
  providerLinking: ProviderLinking;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** A way in passes the password: who adds one proves the factor that is on, else the oldest of the account. */
  requireForFactor(ctx: Context): Promise<CurrentSession>;
  /** What is younger than a way in does not remove it. */
  requireForIdentity(ctx: Context, linkedAt: Date | undefined): Promise<CurrentSession>;
}

/** The ways into an account through identity providers. */
export const createProviderRoutes = (options: ProviderRoutesOptions): Router => {
  const { providerFlow, providerLinking, requireCurrent, requireForFactor, requireForIdentity } = options;
  const router = createRouter();

  mount(router, accountApi.listProviders, async (ctx) => {
    const { accountId } = await requireCurrent(ctx);
    const { brand, locale } = stateOf(ctx);
    return { items: await providerLinking.list(accountId, brand, locale) };
  });

  mount(router, accountApi.linkProvider, async (ctx, { params }) => {
    const { accountId, uid } = await requireForFactor(ctx);
    const { brand, address, locale } = stateOf(ctx);
    const at = { brand, provider: params.id };
    await providerLinking.requireUnlinked(accountId, at);
    const who = { ...at, browserId: ensureBrowserId(ctx) };
    const wish = { place: { session: uid }, locale, anew: false, address };
    return { returnTo: (await providerFlow.begin(who, wish)).href };
  });

  mount(router, accountApi.unlinkProvider, async (ctx, { params }) => {
    const { accountId } = await requireCurrent(ctx);
    const at = { brand: stateOf(ctx).brand, provider: params.id };
    const current = await requireForIdentity(ctx, await providerLinking.requireSince(accountId, at));
    await providerLinking.unlink(current, at);
  });

  return router;
};
