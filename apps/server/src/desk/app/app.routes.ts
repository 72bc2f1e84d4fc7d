import { deskServiceApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { AppService } from './app.service.ts';

export const createAppRoutes = ({
  apps,
  mountForStaff,
}: {
  apps: AppService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskServiceApi.listDeskClients, (_, { member, query }) => apps.list(member, query));

  mountForStaff(router, deskServiceApi.getDeskClient, (_, { member, params }) =>
    apps.show(member, params.id),
  );

  mountForStaff(router, deskServiceApi.listDeskClientErrors, (_, { member, params, query }) =>
    apps.listErrors(member, params.id, query),
  );

  mountForStaff(router, deskServiceApi.listDeskClientHistory, (_, { member, params, query }) =>
    apps.history(member, params.id, query),
  );

  mountForStaff(
    router,
    deskServiceApi.disableDeskClient,
    (_, { member, params, body: { reason } }) =>
      apps.setDisabled(member, params.id, { disabled: true, reason }),
    { fresh: true },
  );

  mountForStaff(
    router,
    deskServiceApi.enableDeskClient,
    (_, { member, params, body: { reason } }) =>
      apps.setDisabled(member, params.id, { disabled: false, reason }),
    { fresh: true },
  );

  return router;
};
