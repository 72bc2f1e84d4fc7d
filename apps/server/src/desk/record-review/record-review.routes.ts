import { deskApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { RecordReviewService } from './record-review.service.ts';

export const createRecordReviewRoutes = ({
  records,
  mountForStaff,
}: {
  records: RecordReviewService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, deskApi.listRecord, async (_, { member, query }) => {
    await records.noteLook(member.actor, query);
    return records.list(query);
  });

  mountForStaff(router, deskApi.downloadRecord, async (_, { member, query }) => {
    await records.noteLook(member.actor, query);
    return records.toFile(query);
  });

  return router;
};
