import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { readBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import type { PasskeyService } from '../../person/passkey/passkey.service.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import type { SecondFactorService } from '../../person/second-factor/second-factor.service.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { TrustedBrowserService } from '../../person/trusted-browser/trusted-browser.service.ts';

export interface WaysRoutesOptions {
  accounts: Pick<AccountService, 'requireAccount'>;
  secondFactors: Pick<SecondFactorService, 'find'>;
  trustedBrowsers: Pick<TrustedBrowserService, 'list' | 'end'>;
  recoveryWaits: Pick<RecoveryWaitService, 'stop'>;
  passkeys: Pick<PasskeyService, 'count' | 'isOfferDue' | 'declineOffer'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** What is younger than the contact that asked for a wait does not stop it. */
  requireStopper(ctx: Context): Promise<CurrentSession>;
}

/** The ways to sign in, and the browsers that are not asked for the second factor. */
export const createWaysRoutes = (options: WaysRoutesOptions): Router => {
  const {
    accounts,
    secondFactors,
    trustedBrowsers,
    recoveryWaits,
    passkeys,
    requireCurrent,
    requireStopper,
  } = options;
  const router = createRouter();

  mount(router, accountApi.getWays, async (ctx) => {
    const { accountId } = await requireCurrent(ctx);
    const { hasPassword } = await accounts.requireAccount(accountId);
    const { rpId } = stateOf(ctx).brand;
    const factor = await secondFactors.find(accountId);
    return {
      passkeys: await passkeys.count(accountId, rpId),
      hasPassword,
      ...(factor && {
        totp: { since: factor.since.toISOString(), recoveryCodesLeft: factor.recoveryCodesLeft },
      }),
      offerPasskey: await passkeys.isOfferDue(accountId, rpId),
    };
  });

  mount(router, accountApi.declineOffer, async (ctx) => {
    await passkeys.declineOffer((await requireCurrent(ctx)).accountId);
  });

  mount(router, accountApi.listTrustedBrowsers, async (ctx) => {
    const { accountId, brand } = await requireCurrent(ctx);
    const browserId = readBrowserId(ctx);
    return { items: await trustedBrowsers.list(accountId, { brand, ...(browserId && { browserId }) }) };
  });

  mount(router, accountApi.endTrustedBrowser, async (ctx, { params }) =>
    trustedBrowsers.end(await requireCurrent(ctx), params.id),
  );

  mount(router, accountApi.stopRecoveryWait, async (ctx) => {
    const { accountId } = await requireStopper(ctx);
    if (!(await recoveryWaits.stop(accountId, { brand: stateOf(ctx).brand })))
      throw new AppError('not_found');
  });

  return router;
};
