import { clientApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Developer } from '../../clients/client/actor.ts';
import type { ClientHealthService } from '../../clients/client-health/client-health.service.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import { ownHolderOf } from './access.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { Invitations } from './invitation.ts';

export interface ClientRoutesOptions {
  registry: ClientRegistry;
  invitations: Invitations;
  clientHealth: ClientHealthService;
  /** Who asks. @throws AppError not_signed_in, not_a_developer, second_factor_required */
  findRequester(ctx: Context): Promise<Developer>;
  /** Counts a change. @throws AppError rate_limited */
  countChange(developer: Developer): Promise<void>;
}

/** The routes of whoever registers clients. */
export const createClientRoutes = (options: ClientRoutesOptions): Router => {
  const router = createRouter();
  mountReads(router, options);
  mountChanges(router, options);
  mountMembers(router, options);
  return router;
};

const mountReads = (router: Router, { registry, clientHealth, findRequester }: ClientRoutesOptions) => {
  mount(router, clientApi.listClients, async (ctx, { query }) => {
    const { items, ...next } = await registry.list(await findRequester(ctx), query);
    const alerts = await clientHealth.alertsOf(items.map(({ client_id: id }) => id));
    return {
      items: items.map(({ source: _source, ...item }) => ({
        ...item,
        alert: alerts.get(item.client_id) ?? { errorsToday: 0 },
      })),
      ...next,
    };
  });

  mount(router, clientApi.getClient, async (ctx, { params }) =>
    registry.get(await findRequester(ctx), params.id),
  );

  mount(router, clientApi.listClientErrors, async (ctx, { params, query }) => {
    const { client_id: id } = await registry.get(await findRequester(ctx), params.id);
    return clientHealth.listErrors(id, query);
  });

  mount(router, clientApi.findClientError, async (ctx, { params }) =>
    clientHealth.findError(ownHolderOf(await findRequester(ctx)), params.reference),
  );

  mount(router, clientApi.getClientHealth, async (ctx, { params }) =>
    clientHealth.healthOf(await registry.get(await findRequester(ctx), params.id)),
  );

  mount(router, clientApi.listClientHistory, async (ctx, { params, query }) =>
    registry.history(await findRequester(ctx), params.id, query),
  );
};

/** Finds who changes something, and counts the change. */
const createChanger =
  ({ findRequester, countChange }: ClientRoutesOptions) =>
  async (ctx: Context): Promise<Developer> => {
    const developer = await findRequester(ctx);
    await countChange(developer);
    return developer;
  };

const mountChanges = (router: Router, options: ClientRoutesOptions) => {
  const { registry } = options;
  const changer = createChanger(options);

  mount(router, clientApi.createClient, async (ctx, { body }) => registry.create(await changer(ctx), body));

  mount(router, clientApi.updateClient, async (ctx, { params, body }) =>
    registry.update(await changer(ctx), params.id, body),
  );

  mount(router, clientApi.deleteClient, async (ctx, { params, body }) => {
    await registry.delete(await changer(ctx), params.id, { confirm: body.confirm });
  });

  mount(router, clientApi.addClientSecret, async (ctx, { params, body: { name, expiresAt } }) =>
    registry.addSecret(await changer(ctx), params.id, {
      name,
      ...(expiresAt !== undefined && { expiresAt }),
    }),
  );

  mount(router, clientApi.removeClientSecret, async (ctx, { params }) => {
    await registry.removeSecret(await changer(ctx), params.id, params.name);
  });

  mount(router, clientApi.disableClient, async (ctx, { params }) => {
    await registry.setDisabled(await changer(ctx), params.id, true);
  });

  mount(router, clientApi.enableClient, async (ctx, { params }) => {
    await registry.setDisabled(await changer(ctx), params.id, false);
  });
};

const mountMembers = (router: Router, options: ClientRoutesOptions) => {
  const { registry, invitations, findRequester } = options;
  const changer = createChanger(options);

  mount(router, clientApi.listClientMembers, async (ctx, { params }) => ({
    items: await registry.members(await findRequester(ctx), params.id),
  }));

  mount(router, clientApi.addClientMember, async (ctx, { params, body }) =>
    invitations.invite(await changer(ctx), params.id, body.identifier, stateOf(ctx).brand),
  );

  mount(router, clientApi.removeClientMember, async (ctx, { params }) =>
    registry.removeMember(await changer(ctx), params.id, params.account),
  );
};
