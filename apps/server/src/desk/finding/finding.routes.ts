import { deskApi } from '@candela/contract';
import Router from '@koa/router';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { FindingService } from './finding.service.ts';

export const createFindingRoutes = ({
  findings,
  mountForStaff,
}: {
  findings: FindingService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = new Router();

  mountForStaff(router, deskApi.searchDesk, (_, { member, query }) => findings.find(member, query.q));

  return router;
};
