import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import type { StepUpService } from '../../person/step-up/step-up.service.ts';
import type { DeskSessionService } from './desk-session.service.ts';
import type { MountForStaff } from './staff-endpoint.ts';

export interface DeskSessionRoutesOptions {
  deskSessions: DeskSessionService;
  stepUps: Pick<StepUpService, 'findHoldings'>;
  requireProven(ctx: Context): Promise<ProvenSession>;
  mountForStaff: MountForStaff;
}

export const createDeskSessionRoutes = (options: DeskSessionRoutesOptions): Router => {
  const { deskSessions, stepUps, requireProven, mountForStaff } = options;
  const router = createRouter();

  mountForStaff(router, deskApi.getDesk, (_, { member }) => deskSessions.describe(member), { closed: true });

  mountForStaff(
    router,
    deskApi.openDesk,
    async (ctx, { member }) => {
      const holdings = await stepUps.findHoldings(member.current.accountId);
      const prove = async () => (await requireProven(ctx)).proofs;
      return deskSessions.describe(await deskSessions.open(member, holdings, prove));
    },
    { closed: true },
  );

  mountForStaff(router, deskApi.closeDesk, (_, { member }) => deskSessions.close(member), { closed: true });

  return router;
};
