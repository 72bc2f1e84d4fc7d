import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { mount } from '../../http/mount.ts';
import type { EndingService } from '../../link/ending/ending.service.ts';
import type { GrantService } from '../../link/grant/grant.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';

export interface GrantRoutesOptions {
  grants: Pick<GrantService, 'listAuthorizations'>;
  endings: Pick<EndingService, 'withdrawAuthorization' | 'withdrawAuthorizations'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createGrantRoutes = ({ grants, endings, requireCurrent }: GrantRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.listAuthorizations, async (ctx, { query }) => {
    const { accountId } = await requireCurrent(ctx);
    return grants.listAuthorizations(accountId, query.after);
  });

  mount(router, accountApi.withdrawAuthorization, async (ctx, { params }) => {
    await endings.withdrawAuthorization(await requireCurrent(ctx), params.id);
  });

  mount(router, accountApi.withdrawAuthorizations, async (ctx) => {
    await endings.withdrawAuthorizations(await requireCurrent(ctx));
  });

  return router;
};
