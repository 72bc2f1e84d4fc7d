import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { readBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import type { PasswordService } from './password.service.ts';

export interface PasswordRoutesOptions {
  passwords: PasswordService;
  requireProven(ctx: Context): Promise<ProvenSession>;
}

export const createPasswordRoutes = ({ passwords, requireProven }: PasswordRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.changePassword, async (ctx, { body }) => {
    const current = await requireProven(ctx);
    const { password, withdrawAuthorizations = false } = body;
    const { address, brand } = stateOf(ctx);
    const browserId = readBrowserId(ctx);
    await passwords.setPassword(current, { password, withdrawAuthorizations, browserId, address, brand });
  });

  return router;
};
