import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ActivityReviewService } from './activity-review.service.ts';
import type { SignInLinkService } from './sign-in-link.service.ts';

export interface ActivityReviewRoutesOptions {
  activityReview: ActivityReviewService;
  signInLinks: SignInLinkService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

export const createActivityReviewRoutes = ({
  activityReview,
  signInLinks,
  requireCurrent,
}: ActivityReviewRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.listActivity, async (ctx, { query }) =>
    activityReview.list(await requireCurrent(ctx), query),
  );

  mount(router, accountApi.disputeActivity, async (ctx, { params }) =>
    activityReview.dispute(await requireCurrent(ctx), params.id, stateOf(ctx).brand),
  );

  mount(router, accountApi.lookAtSignIn, (_, { body }) => signInLinks.look(body.token));

  mount(router, accountApi.disownSignIn, (ctx, { body }) => signInLinks.disown(body.token, factsOf(ctx)));

  return router;
};
