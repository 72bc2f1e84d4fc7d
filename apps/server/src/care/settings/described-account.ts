import type { Account } from '@candela/contract';
import type { Context } from 'koa';
import type { DeveloperService } from '../../clients/developer/developer.service.ts';
import { stateOf } from '../../http/request-state.ts';
import type { PasskeyService } from '../../person/passkey/passkey.service.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import type { SecondFactorService } from '../../person/second-factor/second-factor.service.ts';

export interface DescribedAccountOptions {
  developers: Pick<DeveloperService, 'isDeveloper'>;
  secondFactors: Pick<SecondFactorService, 'find'>;
  recoveryWaits: Pick<RecoveryWaitService, 'findDue'>;
  passkeys: Pick<PasskeyService, 'count'>;
}

/** Adds to an account what its person can do with it at the brand of the request. */
export type DescribeAccount = (ctx: Context, account: Account) => Promise<Account>;

export const createAccountDescriber =
  ({ developers, secondFactors, recoveryWaits, passkeys }: DescribedAccountOptions): DescribeAccount =>
  async (ctx, account) => {
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
