import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { StepUpService } from './step-up.service.ts';
import { setStepUp } from './step-up-cookie.ts';

export interface StepUpRoutesOptions {
  stepUps: StepUpService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

const askerOf = (ctx: Context) => {
  const { address, brand } = stateOf(ctx);
  return { address, brand, browserId: ensureBrowserId(ctx) };
};

export const createStepUpRoutes = ({ stepUps, requireCurrent }: StepUpRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.stepUpOptions, async (ctx) =>
    stepUps.passkeyOptions(await requireCurrent(ctx), askerOf(ctx)),
  );

  mount(router, accountApi.stepUp, async (ctx, { body }) => {
    const current = await requireCurrent(ctx);
    setStepUp(ctx, await stepUps.stepUp(current, { ...body, ...askerOf(ctx) }));
  });

  return router;
};
