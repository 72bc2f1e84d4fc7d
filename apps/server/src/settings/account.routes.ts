import { type Account, accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { AccountService } from '../account/account.service.ts';
import type { DeveloperService } from '../developer/developer.service.ts';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { PasskeyService } from '../passkey/passkey.service.ts';
import type { RecoveryWaitService } from '../recovery-wait/recovery-wait.service.ts';
import type { SecondFactorService } from '../second-factor/second-factor.service.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { ProfileService } from './profile.service.ts';

export interface AccountRoutesOptions {
  accounts: AccountService;
  profiles: ProfileService;
  developers: Pick<DeveloperService, 'isDeveloper'>;
  secondFactors: Pick<SecondFactorService, 'find'>;
  recoveryWaits: Pick<RecoveryWaitService, 'findDue'>;
  passkeys: Pick<PasskeyService, 'count'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createAccountRoutes = ({
  accounts,
  profiles,
  developers,
  secondFactors,
  recoveryWaits,
  passkeys,
  requireCurrent,
}: AccountRoutesOptions): Router => {
  const router = new Router();

  const describe = async (ctx: Context, account: Account): Promise<Account> => {
    const dueAt = await recoveryWaits.findDue(account.id);
    const factor = await secondFactors.find(account.id);
    return {
      ...account,
      ways: {
        passkey: (await passkeys.count(account.id, stateOf(ctx).brand.rpId)) > 0,
        totp: factor !== undefined,
      },
      ...(dueAt && { recoveryWait: { dueAt: dueAt.toISOString() } }),
      ...((await developers.isDeveloper(account.id)) && { developer: true }),
    };
  };

  mount(router, accountApi.getAccount, async (ctx) =>
    describe(ctx, await accounts.requireAccount((await requireCurrent(ctx)).accountId)),
  );

  mount(router, accountApi.updateAccount, async (ctx, { body }) =>
    describe(ctx, await profiles.changeProfile((await requireCurrent(ctx)).accountId, body)),
  );

  return router;
};
