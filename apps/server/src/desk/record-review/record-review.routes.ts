import { deskApi } from '@candela/contract';
import Router from '@koa/router';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { RecordReviewService } from './record-review.service.ts';

export const createRecordReviewRoutes = ({
  records,
  mountForStaff,
}: {
  records: RecordReviewService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = new Router();

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
