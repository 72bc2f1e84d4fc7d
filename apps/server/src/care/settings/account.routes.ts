import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { DescribeAccount } from './described-account.ts';
import type { ProfileService } from './profile.service.ts';

export interface AccountRoutesOptions {
  accounts: AccountService;
  profiles: ProfileService;
  describeAccount: DescribeAccount;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createAccountRoutes = ({
  accounts,
  profiles,
  describeAccount,
  requireCurrent,
}: AccountRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.getAccount, async (ctx) =>
    describeAccount(ctx, await accounts.requireAccount((await requireCurrent(ctx)).accountId)),
  );

  mount(router, accountApi.updateAccount, async (ctx, { body }) =>
    describeAccount(ctx, await profiles.changeProfile((await requireCurrent(ctx)).accountId, body)),
  );

  return router;
};
