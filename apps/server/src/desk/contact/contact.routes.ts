import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { ContactService } from './contact.service.ts';

export const createContactRoutes = ({
  contacts,
  mountForStaff,
}: {
  contacts: ContactService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskApi.revealContacts, async (_, { member, params, body }) => ({
    contacts: await contacts.show(member, params.id, body),
  }));

  return router;
};
