import { createActivityId } from '../../../person/activity/activity-id.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { insertApproval } from './note-approval.repository.ts';

/** Notes an approval in the unit that makes its grant. */
export const noteApproval = (
  unit: UnitOfWork,
  approval: { accountId: string; brand: string; clientId: string },
): void => {
  const { userAgent, clientHints, timeZone = null } = unit.facts;
  unit.keep(row.approval(approval.clientId), insertApproval, {
    ...approval,
    id: createActivityId(),
    sessionUid: unit.sessionUid ?? null,
    userAgent,
    clientHints,
    timeZone,
  });
};
