import { accountApi, deskApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { CallerCheckService } from './caller-check.service.ts';

export interface CallerCheckRoutesOptions {
  callerChecks: CallerCheckService;
  mountForStaff: MountForStaff;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** The brand that writes to people. */
  brandOf(ctx: Context): MessageBrand;
}

export const createCallerCheckRoutes = (options: CallerCheckRoutesOptions): Router => {
  const { callerChecks, mountForStaff, requireCurrent, brandOf } = options;
  const router = createRouter();

  mountForStaff(router, deskApi.startCallerCheck, (ctx, { member, params, body }) =>
    callerChecks.start(member, params.id, body, brandOf(ctx)),
  );

  mountForStaff(router, deskApi.answerCallerCheck, (_, { member, params, body }) =>
    callerChecks.answer(member, params.id, body.answer),
  );

  mount(router, accountApi.getCallerDigits, async (ctx) =>
    callerChecks.findDigits((await requireCurrent(ctx)).accountId),
  );

  return router;
};
