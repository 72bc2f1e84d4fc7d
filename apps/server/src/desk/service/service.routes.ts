import { deskServiceApi } from '@candela/contract';
import Router from '@koa/router';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { ServiceService } from './service.service.ts';

export const createServiceRoutes = ({
  service,
  mountForStaff,
}: {
  service: ServiceService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = new Router();

  mountForStaff(router, deskServiceApi.getDeskService, (_, { member, query }) =>
    service.show(member, query.span),
  );

  return router;
};
