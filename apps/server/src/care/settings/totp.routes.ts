import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { readBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { RequireDemanded } from '../../person/step-up/proven-session.ts';
import { type Holdings, oldestSince } from '../../person/step-up/seniority.ts';
import type { TotpService } from './totp.service.ts';

export interface TotpRoutesOptions {
  totps: TotpService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  requireDemanded: RequireDemanded;
}

/** A factor keeps out whoever does not have it: the oldest of the account says whose it is. */
const ofFirstFactor = (holdings: Holdings) => ({ since: oldestSince(holdings) });

export const createTotpRoutes = (options: TotpRoutesOptions): Router => {
  const { totps, requireCurrent, requireDemanded } = options;
  const router = createRouter();
  const brandOf = (ctx: Context) => stateOf(ctx).brand;

  mount(router, accountApi.startTotp, async (ctx) =>
    totps.start(await requireDemanded(ctx, ofFirstFactor), brandOf(ctx)),
  );
  mount(router, accountApi.activateTotp, async (ctx, { body }) =>
    totps.activate(
      await requireCurrent(ctx),
      { code: body.code, browserId: readBrowserId(ctx) },
      brandOf(ctx),
    ),
  );
  mount(router, accountApi.removeTotp, async (ctx) => totps.remove(await requireDemanded(ctx), brandOf(ctx)));
  mount(router, accountApi.makeRecoveryCodes, async (ctx) =>
    totps.makeRecoveryCodes(await requireDemanded(ctx), brandOf(ctx)),
  );

  return router;
};
