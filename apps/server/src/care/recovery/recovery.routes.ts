import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { RecoveryService } from './recovery.service.ts';

export const createRecoveryRoutes = ({ recovery }: { recovery: RecoveryService }): Router => {
  const router = createRouter();

  mount(router, accountApi.verifyRecovery, async (ctx, { body }) => {
    const { address, brand } = stateOf(ctx);
    const { expiresAt, ...started } = await recovery.verify({
      ...body,
      brand,
      browserId: ensureBrowserId(ctx),
      address,
    });
    return { ...started, expiresAt: expiresAt.toISOString() };
  });

  mount(router, accountApi.recoveryOptions, async (ctx, { body: { ticket } }) => {
    const { address, brand } = stateOf(ctx);
    return recovery.passkeyOptions({ ticket, browserId: ensureBrowserId(ctx), address, brand });
  });

  mount(router, accountApi.proveRecoveryFactor, (ctx, { body: { ticket, ...factor } }) => {
    const { address, brand } = stateOf(ctx);
    const browserId = ensureBrowserId(ctx);
    return recovery.proveFactor({ ticket, factor, browserId, address, brand, facts: factsOf(ctx) });
  });

  mount(router, accountApi.recoverPassword, async (ctx, { body }) => {
    const { address, brand } = stateOf(ctx);
    const {
      ticket,
      password,
      withdrawAuthorizations = false,
      dropIdentifiers = [],
      dropPasskeys = [],
      dropProviders = [],
      ...factor
    } = body;
    await recovery.setPassword({
      ticket,
      password,
      withdrawAuthorizations,
      dropIdentifiers,
      dropPasskeys,
      dropProviders,
      factor,
      browserId: ensureBrowserId(ctx),
      address,
      brand,
      facts: factsOf(ctx),
    });
  });

  mount(router, accountApi.startRecoveryWait, async (ctx, { body }) => {
    const { dueAt } = await recovery.startWait({
      ...body,
      browserId: ensureBrowserId(ctx),
      brand: stateOf(ctx).brand,
      facts: factsOf(ctx),
    });
    return { dueAt: dueAt.toISOString() };
  });

  return router;
};
