import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { ActBrand } from './act-work.ts';
import type { ApprovalService } from './approval.service.ts';

export interface ApprovalRoutesOptions {
  approvals: ApprovalService;
  mountForStaff: MountForStaff;
  /** The brand that writes to people. */
  brandOf(ctx: Context): ActBrand;
}

export const createApprovalRoutes = ({
  approvals,
  mountForStaff,
  brandOf,
}: ApprovalRoutesOptions): Router => {
  const router = createRouter();

  mountForStaff(router, deskApi.listApprovals, (_, { member }) => approvals.list(member));

  mountForStaff(
    router,
    deskApi.answerApproval,
    (ctx, { member, params, body }) => approvals.answer(member, params.id, { ...body, brand: brandOf(ctx) }),
    { fresh: true },
  );

  return router;
};
