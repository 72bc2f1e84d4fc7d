import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { PasswordService } from './password.service.ts';

export interface PasswordRoutesOptions {
  passwords: PasswordService;
  requireProven(ctx: Context): Promise<CurrentSession>;
}

export const createPasswordRoutes = ({ passwords, requireProven }: PasswordRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.changePassword, async (ctx, { body }) => {
    const current = await requireProven(ctx);
    const { password, withdrawAuthorizations = false } = body;
    await passwords.setPassword(current, { password, withdrawAuthorizations, brand: stateOf(ctx).brand });
  });

  return router;
};
