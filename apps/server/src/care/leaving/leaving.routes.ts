import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { RequireDemanded } from '../../person/step-up/proven-session.ts';
import { ofOwner } from '../../person/step-up/seniority.ts';
import type { LeavingService } from './leaving.service.ts';

export interface LeavingRoutesOptions {
  leavings: Pick<LeavingService, 'leave' | 'keep'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** The account goes with all that it has: only who proves the oldest of it leaves. */
  requireDemanded: RequireDemanded;
  /** Takes the session cookie from the browser, and what pages kept. */
  clearCookie(ctx: Context): void;
}

export const createLeavingRoutes = ({
  leavings,
  requireCurrent,
  requireDemanded,
  clearCookie,
}: LeavingRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.leave, async (ctx) => {
    const endsAt = await leavings.leave(await requireDemanded(ctx, ofOwner), stateOf(ctx).brand);
    clearCookie(ctx);
    return { endsAt: endsAt.toISOString() };
  });

  mount(router, accountApi.keep, async (ctx) => leavings.keep(await requireCurrent(ctx), stateOf(ctx).brand));

  return router;
};
