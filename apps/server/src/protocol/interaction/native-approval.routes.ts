import { approvalApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { APPROVALS_SCOPE, type TokenRefusal } from '../../clients/resource-server/own-api.ts';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { bearerOf, challengeBearer } from '../../http/bearer.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { NativeApprovals } from '../oidc/request/native-approval.ts';

export interface NativeApprovalRoutesOptions {
  nativeApprovals: NativeApprovals;
}

const refuseToken = (ctx: Context, error?: TokenRefusal): AppError => {
  challengeBearer(ctx, { ...(error && { error }), scope: APPROVALS_SCOPE });
  return new AppError(error === 'insufficient_scope' ? 'own_app_required' : 'not_signed_in');
};

/** The route by which an app of the brand's own approves a client for its person. It reads no cookie. */
export const createNativeApprovalRoutes = ({ nativeApprovals }: NativeApprovalRoutesOptions): Router => {
  const router = createRouter();

  mount(router, approvalApi.approve, async (ctx, { body }) => {
    const value = bearerOf(ctx);
    if (value === undefined) throw refuseToken(ctx);
    const call = { brand: stateOf(ctx).brand, facts: factsOf(ctx) };
    const token = await nativeApprovals.judge(value, call);
    if (typeof token === 'string') throw refuseToken(ctx, token);
    return { code: await nativeApprovals.approve(body, token, call) };
  });

  return router;
};
