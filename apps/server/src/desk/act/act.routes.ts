import { type DeskAct, deskActApi, deskActNames } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { ActService } from './act.service.ts';
import type { ActBrand, ActInput } from './act-work.ts';

export interface ActRoutesOptions {
  actions: ActService;
  mountForStaff: MountForStaff;
  /** The brand that writes to people. */
  brandOf(ctx: Context): ActBrand;
}

/** The act of an endpoint is the last part of its path. */
const actOf = (path: string): DeskAct => {
  const act = deskActNames.find((name) => path.endsWith(`/${name}`));
  if (!act) throw new Error(`${path} is no act`);
  return act;
};

export const createActRoutes = ({ actions, mountForStaff, brandOf }: ActRoutesOptions): Router => {
  const router = createRouter();

  for (const endpoint of Object.values(deskActApi)) {
    const act = actOf(endpoint.path);
    mountForStaff(
      router,
      endpoint,
      (ctx, { member, params, body }) =>
        actions.perform(member, {
          accountId: params.id,
          act,
          input: body satisfies ActInput,
          brand: brandOf(ctx),
        }),
      { fresh: true },
    );
  }

  return router;
};
