import { accountApi } from '@candela/contract';
import { HOME_PAGE } from '@candela/contract/pages';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Brand } from '../../branding/brand/brand.ts';
import { originsOf } from '../../branding/brand/rp-id.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import { readClientHints } from '../../ground/browser/client-hints.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { PasskeyService } from './passkey.service.ts';

export interface PasskeyRoutesOptions {
  passkeys: PasskeyService;
  brands: readonly Brand[];
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** A passkey passes the second factor: who adds one proves the factor that is on, else the oldest of the account. */
  requireForFactor(ctx: Context): Promise<CurrentSession>;
  /** What is younger than a passkey does not remove it. */
  requireForPasskey(ctx: Context, id: string): Promise<CurrentSession>;
}

/** The browser and its system, such as `Chrome, Windows`. */
const browserOf = (ctx: Context): string => {
  const hints = readClientHints((name) => ctx.get(name)) ?? null;
  const { browser, os } = readBrowserFacts(factsOf(ctx).userAgent, hints);
  return [browser.name, os.name].filter(Boolean).join(', ');
};

/** Documents by which browsers and keepers of passkeys find their way. */
const mountDocuments = (router: Router, brands: readonly Brand[]): void => {
  // Web Authentication section 5.11.1: the origins that share the relying party id of this host.
  router.get('/.well-known/webauthn', async (ctx: Context) => {
    ctx.body = { origins: originsOf(stateOf(ctx).brand.rpId, brands) };
  });

  // A Well-Known URL for Relying Party Passkey Endpoints (W3C).
  router.get('/.well-known/passkey-endpoints', async (ctx: Context) => {
    const page = `${stateOf(ctx).brand.origin}${HOME_PAGE}`;
    ctx.body = { enroll: page, manage: page };
  });
};

export const createPasskeyRoutes = (options: PasskeyRoutesOptions): Router => {
  const { passkeys, brands, requireCurrent, requireForFactor, requireForPasskey } = options;
  const router = createRouter();
  mountDocuments(router, brands);

  const askerOf = (ctx: Context, mediation: 'conditional' | undefined) => {
    const { brand, address } = stateOf(ctx);
    return { brand, address, browserId: ensureBrowserId(ctx), mediation };
  };

  mount(router, accountApi.listPasskeys, async (ctx) =>
    passkeys.list((await requireCurrent(ctx)).accountId, stateOf(ctx).brand.rpId),
  );

  mount(router, accountApi.passkeyOptions, async (ctx, { query: { mediation } }) =>
    passkeys.creationOptions(await requireForFactor(ctx), askerOf(ctx, mediation)),
  );

  mount(router, accountApi.addPasskey, async (ctx, { body: { response, name, mediation } }) =>
    passkeys.add(await requireForFactor(ctx), {
      ...askerOf(ctx, mediation),
      response,
      name,
      madeIn: browserOf(ctx),
    }),
  );

  mount(router, accountApi.renamePasskey, async (ctx, { params, body }) =>
    passkeys.rename(await requireCurrent(ctx), params.id, body.name, stateOf(ctx).brand.rpId),
  );

  mount(router, accountApi.removePasskey, async (ctx, { params }) =>
    passkeys.remove(await requireForPasskey(ctx, params.id), params.id, stateOf(ctx).brand),
  );

  return router;
};
