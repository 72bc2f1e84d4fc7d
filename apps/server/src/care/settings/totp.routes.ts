import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { TotpService } from './totp.service.ts';

export interface TotpRoutesOptions {
  totps: TotpService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  requireProven(ctx: Context): Promise<CurrentSession>;
  requireProvenFactor(ctx: Context): Promise<CurrentSession>;
}

export const createTotpRoutes = (options: TotpRoutesOptions): Router => {
  const { totps, requireCurrent, requireProven, requireProvenFactor } = options;
  const router = new Router();
  const brandOf = (ctx: Context) => stateOf(ctx).brand;

  mount(router, accountApi.startTotp, async (ctx) => totps.start(await requireProven(ctx), brandOf(ctx)));
  mount(router, accountApi.activateTotp, async (ctx, { body }) =>
    totps.activate(await requireCurrent(ctx), body.code, brandOf(ctx)),
  );
  mount(router, accountApi.removeTotp, async (ctx) =>
    totps.remove(await requireProvenFactor(ctx), brandOf(ctx)),
  );
  mount(router, accountApi.makeRecoveryCodes, async (ctx) =>
    totps.makeRecoveryCodes(await requireProvenFactor(ctx), brandOf(ctx)),
  );

  return router;
};
