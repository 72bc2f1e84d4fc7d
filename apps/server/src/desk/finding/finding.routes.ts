import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { FindingService } from './finding.service.ts';

export const createFindingRoutes = ({
  findings,
  mountForStaff,
}: {
  findings: FindingService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskApi.searchDesk, (_, { member, query }) => findings.find(member, query.q));

  return router;
};
