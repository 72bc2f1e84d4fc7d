import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { RequireDemanded } from '../../person/step-up/proven-session.ts';
import type { DescribeAccount } from './described-account.ts';
import type { IdentifierChangeService } from './identifier-change.service.ts';

export interface IdentifierRoutesOptions {
  identifiers: IdentifierChangeService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  requireDemanded: RequireDemanded;
  describeAccount: DescribeAccount;
}

const answerWaits = (ctx: Context, waits: boolean) => {
  if (waits) ctx.status = 202;
};

export const createIdentifierRoutes = (options: IdentifierRoutesOptions): Router => {
  const { identifiers, requireCurrent, requireDemanded, describeAccount } = options;
  const router = createRouter();

  const set = async (
    ctx: Context,
    kind: IdentifierKind,
    { identifier, code, wait = false }: { identifier: string; code: string; wait?: boolean | undefined },
  ) => {
    const current = await requireDemanded(ctx);
    const { address, brand } = stateOf(ctx);
    const browserId = ensureBrowserId(ctx);
    const input = { kind, identifier, code, wait, browserId, address, brand };
    const { account, waits } = await identifiers.setIdentifier(current, input);
    answerWaits(ctx, waits);
    return describeAccount(ctx, account);
  };
  const remove = async (ctx: Context, kind: IdentifierKind, wait: 'true' | undefined) => {
    const current = await requireDemanded(ctx);
    const input = { kind, wait: wait !== undefined, brand: stateOf(ctx).brand };
    answerWaits(ctx, (await identifiers.removeIdentifier(current, input)).waits);
  };

  mount(router, accountApi.setPhone, (ctx, { body: { phone, ...body } }) =>
    set(ctx, 'phone', { identifier: phone, ...body }),
  );
  mount(router, accountApi.removePhone, (ctx, { query }) => remove(ctx, 'phone', query.wait));
  mount(router, accountApi.setEmail, (ctx, { body: { email, ...body } }) =>
    set(ctx, 'email', { identifier: email, ...body }),
  );
  mount(router, accountApi.removeEmail, (ctx, { query }) => remove(ctx, 'email', query.wait));
  mount(router, accountApi.cancelChange, async (ctx, { params }) =>
    identifiers.cancelChange(await requireCurrent(ctx), params.id),
  );

  return router;
};
