import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { ensureDevice } from '../http/device-cookie.ts';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import type { AccountService } from './account.service.ts';

export interface AccountRoutesOptions {
  accounts: AccountService;
  verification: VerificationService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createAccountRoutes = ({
  accounts,
  verification,
  requireCurrent,
}: AccountRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.sendCode, async (ctx, { body }) => {
    const { address, locale, brand } = stateOf(ctx);
    const { expiresAt, resendAt } = await verification.sendCode({
      ...body,
      device: ensureDevice(ctx),
      address,
      locale,
      brand,
    });
    return { expiresAt: expiresAt.toISOString(), resendAt: resendAt.toISOString() };
  });

  mount(router, accountApi.getAccount, async (ctx) =>
    accounts.requireAccount((await requireCurrent(ctx)).accountId),
  );

  return router;
};
