import { accountApi, type CodePurpose } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { AccountService } from '../account/account.service.ts';
import { ensureDevice } from '../http/device-cookie.ts';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import type { ProfileService } from './profile.service.ts';

export interface AccountRoutesOptions {
  accounts: AccountService;
  profiles: ProfileService;
  verification: VerificationService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

/** Codes that open nothing but the account of a session. */
const ofSession: readonly CodePurpose[] = ['bind', 'step-up'];

export const createAccountRoutes = ({
  accounts,
  profiles,
  verification,
  requireCurrent,
}: AccountRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.sendCode, async (ctx, { body }) => {
    const { address, brand, choseLocale } = stateOf(ctx);
    const current = ofSession.includes(body.purpose) ? await requireCurrent(ctx) : undefined;
    const { expiresAt, resendAt } = await verification.sendCode({
      ...body,
      device: ensureDevice(ctx),
      address,
      locale: stateOf(ctx).locale,
      choseLocale,
      brand,
      accountId: current?.accountId,
      sessionUid: current?.uid,
    });
    return { expiresAt: expiresAt.toISOString(), resendAt: resendAt.toISOString() };
  });

  mount(router, accountApi.getAccount, async (ctx) =>
    accounts.requireAccount((await requireCurrent(ctx)).accountId),
  );

  mount(router, accountApi.updateAccount, async (ctx, { body }) =>
    profiles.changeProfile((await requireCurrent(ctx)).accountId, body),
  );

  return router;
};
