import { clientApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Developer } from '../client/actor.ts';
import type { ClientHealthService } from '../client-health/client-health.service.ts';
import { mount } from '../http/mount.ts';
import type { ClientRegistry } from './client-registry.ts';

export interface ClientHealthRoutesOptions {
  registry: Pick<ClientRegistry, 'get'>;
  clientHealth: Pick<ClientHealthService, 'listErrors' | 'healthOf'>;
  /** @throws AppError not_signed_in, not_a_developer */
  requireDeveloper(ctx: Context): Promise<Developer>;
}

/** How a client fares, for its own developers: for everybody else there is no such client. */
export const createClientHealthRoutes = (options: ClientHealthRoutesOptions): Router => {
  const { registry, clientHealth, requireDeveloper } = options;
  const router = new Router();

  mount(router, clientApi.listClientErrors, async (ctx, { params, query }) => {
    const { client_id: id } = await registry.get(await requireDeveloper(ctx), params.id);
    return clientHealth.listErrors(id, query);
  });

  mount(router, clientApi.getClientHealth, async (ctx, { params }) =>
    clientHealth.healthOf(await registry.get(await requireDeveloper(ctx), params.id)),
  );

  return router;
};
