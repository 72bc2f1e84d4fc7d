import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { RequireDemanded } from '../../person/step-up/proven-session.ts';
import type { ActivityReviewService } from './activity-review.service.ts';
import type { SignInLinkService } from './sign-in-link.service.ts';

export interface ActivityReviewRoutesOptions {
  activityReview: ActivityReviewService;
  signInLinks: SignInLinkService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** What is younger than the contact that asked for a wait does not stop it. */
  requireStopper(ctx: Context): Promise<CurrentSession>;
  requireDemanded: RequireDemanded;
}

export const createActivityReviewRoutes = ({
  activityReview,
  signInLinks,
  requireCurrent,
  requireStopper,
  requireDemanded,
}: ActivityReviewRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.listActivity, async (ctx, { query }) =>
    activityReview.list(await requireCurrent(ctx), query),
  );

  mount(router, accountApi.listAddedInSession, async (ctx, { params }) =>
    activityReview.listAdded(await requireCurrent(ctx), params.id),
  );

  mount(router, accountApi.disputeActivity, async (ctx, { params, body: { takeBack = false } }) =>
    activityReview.dispute(await requireCurrent(ctx), params.id, {
      brand: stateOf(ctx).brand,
      takeBack,
      facts: factsOf(ctx),
      requireSince: (since) => requireDemanded(ctx, () => ({ since })),
      requireStopper: () => requireStopper(ctx),
    }),
  );

  mount(router, accountApi.lookAtSignIn, (_, { body }) => signInLinks.look(body.token));

  mount(router, accountApi.disownSignIn, (ctx, { body: { token, takeBack = false } }) =>
    signInLinks.disown(token, { takeBack, brand: stateOf(ctx).brand, facts: factsOf(ctx) }),
  );

  return router;
};
