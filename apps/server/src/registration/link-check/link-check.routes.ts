import { clientApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Developer } from '../../clients/client/actor.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { LinkChecks } from './link-check.service.ts';

export interface LinkCheckRoutesOptions {
  linkChecks: LinkChecks;
  /** Who asks. @throws AppError not_signed_in, not_a_developer, second_factor_required */
  findRequester(ctx: Context): Promise<Developer>;
  /** Counts a change: a check costs more than any. @throws AppError rate_limited */
  countChange(developer: Developer): Promise<void>;
}

/** The route by which a developer has the link of a client checked. */
export const createLinkCheckRoutes = ({
  linkChecks,
  findRequester,
  countChange,
}: LinkCheckRoutesOptions): Router => {
  const router = createRouter();

  mount(router, clientApi.checkClientLink, async (ctx, { params }) => {
    const developer = await findRequester(ctx);
    await countChange(developer);
    return linkChecks.check(developer, params.id, { brand: stateOf(ctx).brand.id });
  });

  return router;
};
