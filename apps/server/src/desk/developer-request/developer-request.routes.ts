import { accountApi, deskServiceApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ActBrand } from '../act/act-work.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { DeveloperRequestService } from './developer-request.service.ts';
import type { RequestAnswering } from './request-answering.ts';

export interface DeveloperRequestRoutesOptions {
  developerRequests: DeveloperRequestService;
  requestAnswering: RequestAnswering;
  mountForStaff: MountForStaff;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  brandOf(ctx: Context): ActBrand;
}

export const createDeveloperRequestRoutes = (options: DeveloperRequestRoutesOptions): Router => {
  const { developerRequests, requestAnswering, mountForStaff, requireCurrent, brandOf } = options;
  const router = createRouter();

  mount(router, accountApi.getDeveloperAccess, async (ctx) =>
    developerRequests.accessOf((await requireCurrent(ctx)).accountId),
  );

  mount(router, accountApi.askForAccess, async (ctx, { body }) =>
    developerRequests.ask((await requireCurrent(ctx)).accountId, body.why),
  );

  mountForStaff(router, deskServiceApi.listDeveloperRequests, async (_, { member }) => {
    await requestAnswering.noteLook(member);
    return { items: await developerRequests.list() };
  });

  mountForStaff(
    router,
    deskServiceApi.answerDeveloperRequest,
    (ctx, { member, params, body }) =>
      requestAnswering.answer(member, params.id, { ...body, brand: brandOf(ctx) }),
    { fresh: true },
  );

  return router;
};
