import { deskServiceApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { ServiceService } from './service.service.ts';

export const createServiceRoutes = ({
  service,
  mountForStaff,
}: {
  service: ServiceService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskServiceApi.getDeskService, (_, { member, query }) =>
    service.show(member, query.span),
  );

  return router;
};
