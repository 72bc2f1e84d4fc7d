import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { ensureBrowserId } from '../http/browser-cookie.ts';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { StepUpService } from './step-up.service.ts';
import { setStepUp } from './step-up-cookie.ts';

export interface StepUpRoutesOptions {
  stepUps: StepUpService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createStepUpRoutes = ({ stepUps, requireCurrent }: StepUpRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.stepUp, async (ctx, { body }) => {
    const current = await requireCurrent(ctx);
    const { address } = stateOf(ctx);
    setStepUp(ctx, await stepUps.stepUp(current, { ...body, browserId: ensureBrowserId(ctx), address }));
  });

  return router;
};
