import { type Account, accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { AccountService } from '../account/account.service.ts';
import type { DeveloperService } from '../developer/developer.service.ts';
import { mount } from '../http/mount.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { ProfileService } from './profile.service.ts';

export interface AccountRoutesOptions {
  accounts: AccountService;
  profiles: ProfileService;
  developers: Pick<DeveloperService, 'isDeveloper'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createAccountRoutes = ({
  accounts,
  profiles,
  developers,
  requireCurrent,
}: AccountRoutesOptions): Router => {
  const router = new Router();

  const withDeveloper = async (account: Account): Promise<Account> =>
    (await developers.isDeveloper(account.id)) ? { ...account, developer: true } : account;

  mount(router, accountApi.getAccount, async (ctx) =>
    withDeveloper(await accounts.requireAccount((await requireCurrent(ctx)).accountId)),
  );

  mount(router, accountApi.updateAccount, async (ctx, { body }) =>
    withDeveloper(await profiles.changeProfile((await requireCurrent(ctx)).accountId, body)),
  );

  return router;
};
