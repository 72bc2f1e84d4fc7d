import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { CaseService } from './case.service.ts';

export const createCaseRoutes = ({
  cases,
  mountForStaff,
}: {
  cases: CaseService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskApi.getDeskAccount, (_, { member, params }) => cases.show(member, params.id));

  mountForStaff(router, deskApi.listDeskActivity, (_, { member, params, query }) =>
    cases.listActivity(member, params.id, query),
  );

  mountForStaff(router, deskApi.listDeskMessages, (_, { member, params, query }) =>
    cases.listMessages(member, params.id, query.after),
  );

  return router;
};
