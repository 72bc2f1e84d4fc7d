import type Router from '@koa/router';
import type { Context } from 'koa';
import { createAccountStatusService } from '../../care/account-status/account-status.service.ts';
import {
  createDataExportService,
  type DataExportOptions,
} from '../../care/data-export/data-export.service.ts';
import type { DeletionOptions } from '../../care/leaving/account-deletion.ts';
import { createLeavingService } from '../../care/leaving/leaving.service.ts';
import { createActRoutes } from '../../desk/act/act.routes.ts';
import { createActService } from '../../desk/act/act.service.ts';
import type { ActPlace, ActServices } from '../../desk/act/act-work.ts';
import { createApprovalRoutes } from '../../desk/act/approval.routes.ts';
import { createApprovalService } from '../../desk/act/approval.service.ts';
import { createCallerCheckRoutes } from '../../desk/caller/caller-check.routes.ts';
import { createCallerCheckService } from '../../desk/caller/caller-check.service.ts';
import { createCaseRoutes } from '../../desk/case/case.routes.ts';
import { createCaseService } from '../../desk/case/case.service.ts';
import { createContactRoutes } from '../../desk/contact/contact.routes.ts';
import { createContactService } from '../../desk/contact/contact.service.ts';
import { createDeskSessionRoutes } from '../../desk/desk-session/desk-session.routes.ts';
import { createDeskSessionService } from '../../desk/desk-session/desk-session.service.ts';
import { createStaffMount } from '../../desk/desk-session/staff-endpoint.ts';
import { createFindingRoutes } from '../../desk/finding/finding.routes.ts';
import { createFindingService } from '../../desk/finding/finding.service.ts';
import { createRecordReviewRoutes } from '../../desk/record-review/record-review.routes.ts';
import { createRecordReviewService } from '../../desk/record-review/record-review.service.ts';
import { createStaffService } from '../../desk/staff/staff.service.ts';
import { stateOf } from '../../http/request-state.ts';
import { createEndingService } from '../../link/ending/ending.service.ts';
import { createRecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import type { createCurrentSessionFinder } from '../../person/session/current-session.ts';
import type { createProvenSessionFinder } from '../../person/step-up/proven-session.ts';
import { wireDeskServiceRouters } from './desk-service.ts';
import type { Parts } from './parts.ts';

type DeskParts = Pick<Parts, 'foundation' | 'storage' | 'words' | 'proofs' | 'identity' | 'pages'>;

/** The services by which staff act, each time in a transaction of the act. */
const wireActs = (
  options: ActPlace & Omit<DataExportOptions & DeletionOptions, keyof ActPlace>,
): ActServices => ({
  statuses: createAccountStatusService(options),
  endings: createEndingService(options),
  leavings: createLeavingService(options),
  dataExports: createDataExportService(options),
  recoveryWaits: createRecoveryWaitService(options),
});

/** What answers the people who answer the phone. */
const wireDesk = ({ foundation, storage, words, proofs, identity, pages }: DeskParts) => {
  const { config, now, events, connection } = foundation;
  const { db } = connection;
  const base = { ...proofs, ...identity, ...storage, ...pages, db, events, now };
  const { secretKeys, brands, codes: limits, deskAcr: acr, deskShowsLooks: showsLooks } = config;
  const deskSessions = createDeskSessionService({ ...base, acr });
  const ofActs = { ...base, secretKeys, brands, limits, pageTexts: words.catalog.pages };
  const contacts = createContactService({ ...base, deskSessions, showsLooks });
  const callerChecks = createCallerCheckService({ ...base, secretKeys });
  const approvals = createApprovalService(ofActs);
  const parts = { deskSessions, contacts, callerChecks, approvals };
  return {
    ...parts,
    staff: createStaffService(base),
    findings: createFindingService({ ...base, deskSessions }),
    cases: createCaseService({ ...ofActs, ...parts, showsLooks }),
    actions: createActService({ ...ofActs, servicesIn: (place) => wireActs({ ...ofActs, ...place }) }),
    records: createRecordReviewService(base),
  };
};

export interface DeskRouterOptions
  extends Pick<ReturnType<typeof createCurrentSessionFinder>, 'findCurrent' | 'requireCurrent'>,
    Pick<ReturnType<typeof createProvenSessionFinder>, 'requireProven'> {}

export interface WiredDesk {
  routers: Router[];
  /** Whether whoever is signed in works at the desk; `there` where there is a desk, and nobody is signed in. */
  roleAt(ctx: Context): Promise<'staff' | 'there' | undefined>;
}

export const wireDeskRouters = (wired: Parts, options: DeskRouterOptions): WiredDesk => {
  const { stepUps } = wired.identity;
  const desk = wireDesk(wired);
  const mountForStaff = createStaffMount({ ...desk, ...options });
  const [first] = wired.foundation.config.brands;
  /** People hear of the desk from a brand, never from the origin of the desk. */
  const brandOf = (ctx: Context) => {
    const { brand } = stateOf(ctx);
    return brand.forStaff ? first : brand;
  };
  const base = { ...desk, ...options, stepUps, mountForStaff, brandOf };
  return {
    routers: [
      createDeskSessionRoutes(base),
      createFindingRoutes(base),
      createCaseRoutes(base),
      createContactRoutes(base),
      createCallerCheckRoutes(base),
      createActRoutes(base),
      createApprovalRoutes(base),
      createRecordReviewRoutes(base),
      ...wireDeskServiceRouters(wired, base),
    ],
    roleAt: async (ctx) => {
      const current = await options.findCurrent(ctx);
      if (current) return (await desk.staff.roleOf(current.accountId)) && 'staff';
      return (await desk.staff.isThere()) ? 'there' : undefined;
    },
  };
};
