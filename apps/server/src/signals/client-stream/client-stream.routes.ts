import { clientApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Developer } from '../../clients/client/actor.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { ClientStreamService } from './client-stream.service.ts';

export interface ClientStreamRoutesOptions {
  clientStreams: ClientStreamService;
  /** Who asks. @throws AppError not_signed_in, not_a_developer, second_factor_required */
  findRequester(ctx: Context): Promise<Developer>;
  /** Counts a change. @throws AppError rate_limited */
  countChange(developer: Developer): Promise<void>;
}

/** The routes of whoever sets up the signals of a client. */
export const createClientStreamRoutes = ({
  clientStreams,
  findRequester,
  countChange,
}: ClientStreamRoutesOptions): Router => {
  const router = createRouter();
  const changer = async (ctx: Context): Promise<Developer> => {
    const developer = await findRequester(ctx);
    await countChange(developer);
    return developer;
  };

  mount(router, clientApi.getClientStream, async (ctx, { params }) =>
    clientStreams.get(await findRequester(ctx), params.id, stateOf(ctx).brand),
  );
  mount(router, clientApi.setClientStream, async (ctx, { params, body }) =>
    clientStreams.set(await changer(ctx), params.id, stateOf(ctx).brand, body),
  );
  mount(router, clientApi.removeClientStream, async (ctx, { params }) =>
    clientStreams.remove(await changer(ctx), params.id, stateOf(ctx).brand),
  );
  mount(router, clientApi.testClientStream, async (ctx, { params }) =>
    clientStreams.test(await changer(ctx), params.id, stateOf(ctx).brand),
  );
  mount(router, clientApi.replayClientSignal, async (ctx, { params, body }) =>
    clientStreams.replay(await changer(ctx), params.id, stateOf(ctx).brand, body.id),
  );
  mount(router, clientApi.turnOverStreamSecret, async (ctx, { params }) => ({
    secret: await clientStreams.turnOverSecret(await changer(ctx), params.id, stateOf(ctx).brand),
  }));
  return router;
};
