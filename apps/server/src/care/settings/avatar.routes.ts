import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { AvatarService } from './avatar.service.ts';
import type { DescribeAccount } from './described-account.ts';

export interface AvatarRoutesOptions {
  avatars: AvatarService;
  accounts: AccountService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  describeAccount: DescribeAccount;
}

/** What an account does with its own picture. */
export const createAvatarRoutes = (options: AvatarRoutesOptions): Router => {
  const { avatars, accounts, requireCurrent, describeAccount } = options;
  const router = createRouter();

  mount(
    router,
    accountApi.setAvatar,
    async (ctx, { body }) => {
      const current = await requireCurrent(ctx);
      await avatars.setAvatar(current, body);
      return describeAccount(ctx, await accounts.requireAccount(current.accountId));
    },
    { before: requireCurrent },
  );

  mount(router, accountApi.removeAvatar, async (ctx) => {
    const { accountId } = await requireCurrent(ctx);
    await avatars.removeAvatar(accountId);
  });

  return router;
};
