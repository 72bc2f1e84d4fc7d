import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import type { EndingService } from '../../link/ending/ending.service.ts';
import type { GrantService } from '../../link/grant/grant.service.ts';
import type { GrantChangeService } from '../../link/grant/grant-change.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';

export interface GrantRoutesOptions {
  grants: Pick<GrantService, 'listAuthorizations' | 'listEnded'>;
  grantChanges: GrantChangeService;
  endings: Pick<EndingService, 'withdrawAuthorization' | 'withdrawAuthorizations'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** For a change that makes access last longer: its person has just proven to be there. */
  requireDemanded(ctx: Context): Promise<CurrentSession>;
}

export const createGrantRoutes = (options: GrantRoutesOptions): Router => {
  const { grants, grantChanges, endings, requireCurrent, requireDemanded } = options;
  const router = createRouter();

  mount(router, accountApi.listAuthorizations, async (ctx, { query }) => {
    const { accountId } = await requireCurrent(ctx);
    return grants.listAuthorizations(accountId, query.after);
  });

  mount(router, accountApi.listEndedAuthorizations, async (ctx, { query }) => {
    const { accountId } = await requireCurrent(ctx);
    return grants.listEnded(accountId, query.after);
  });

  mount(router, accountApi.changeAuthorization, async (ctx, { params, body: { label, scopes } }) => {
    const by = await requireCurrent(ctx);
    return scopes
      ? grantChanges.narrow(by, params.id, scopes)
      : grantChanges.name(by, params.id, label ?? null);
  });

  mount(router, accountApi.renewAuthorization, async (ctx, { params }) =>
    grantChanges.renew(await requireDemanded(ctx), params.id),
  );

  mount(router, accountApi.withdrawAuthorization, async (ctx, { params }) => {
    await endings.withdrawAuthorization(await requireCurrent(ctx), params.id);
  });

  mount(router, accountApi.withdrawAuthorizations, async (ctx) => {
    await endings.withdrawAuthorizations(await requireCurrent(ctx));
  });

  return router;
};
