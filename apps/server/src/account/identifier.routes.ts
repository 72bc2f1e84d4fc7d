import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { ensureDevice } from '../http/device-cookie.ts';
import { mount } from '../http/mount.ts';
import { stateOf } from '../http/request-state.ts';
import type { IdentifierKind } from '../identifier/identifier.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { IdentifierChangeService } from './identifier-change.service.ts';

export interface IdentifierRoutesOptions {
  identifiers: IdentifierChangeService;
  requireProven(ctx: Context): Promise<CurrentSession>;
}

export const createIdentifierRoutes = ({ identifiers, requireProven }: IdentifierRoutesOptions): Router => {
  const router = new Router();

  const set = async (ctx: Context, kind: IdentifierKind, identifier: string, code: string) => {
    const current = await requireProven(ctx);
    const { address, brand } = stateOf(ctx);
    const device = ensureDevice(ctx);
    return identifiers.setIdentifier(current, { kind, identifier, code, device, address, brand });
  };
  const remove = async (ctx: Context, kind: IdentifierKind) =>
    identifiers.removeIdentifier(await requireProven(ctx), { kind, brand: stateOf(ctx).brand });

  mount(router, accountApi.setPhone, (ctx, { body }) => set(ctx, 'phone', body.phone, body.code));
  mount(router, accountApi.removePhone, (ctx) => remove(ctx, 'phone'));
  mount(router, accountApi.setEmail, (ctx, { body }) => set(ctx, 'email', body.email, body.code));
  mount(router, accountApi.removeEmail, (ctx) => remove(ctx, 'email'));

  return router;
};
