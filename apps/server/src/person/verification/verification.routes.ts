import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { isOfSession } from './code-purpose.ts';
import type { VerificationService } from './verification.service.ts';

export interface VerificationRoutesOptions {
  verification: Pick<VerificationService, 'sendCode'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createVerificationRoutes = ({
  verification,
  requireCurrent,
}: VerificationRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.sendCode, async (ctx, { body }) => {
    const current = isOfSession(body.purpose) ? await requireCurrent(ctx) : undefined;
    // Read now: the locale is that of the account where somebody is signed in.
    const { address, brand, locale, choseLocale } = stateOf(ctx);
    const { expiresAt, resendAt } = await verification.sendCode({
      ...body,
      browserId: ensureBrowserId(ctx),
      address,
      locale,
      choseLocale,
      brand,
      accountId: current?.accountId,
      sessionUid: current?.uid,
    });
    return { expiresAt: expiresAt.toISOString(), resendAt: resendAt.toISOString() };
  });

  return router;
};
