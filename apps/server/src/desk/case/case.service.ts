import type { ActivityGroup, ActivityList, DeskAccount, DeskMessageList } from '@candela/contract';
import type { Kysely } from 'kysely';
import { findHoldings } from '../../care/account-status/account-status.repository.ts';
import type { SignInLimitOptions } from '../../care/account-status/sign-in-limits.ts';
import type { ActivityReviewService } from '../../care/activity-review/activity-review.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { GrantService } from '../../link/grant/grant.service.ts';
import { type AccountRecord, listAccounts } from '../../person/account/account.repository.ts';
import type { SessionService } from '../../person/session/session.service.ts';
import type { ApprovalService } from '../act/approval.service.ts';
import type { CallerCheckService } from '../caller/caller-check.service.ts';
import type { ContactService } from '../contact/contact.service.ts';
import type { DeskSessionService, StaffAtWork } from '../desk-session/desk-session.service.ts';
import { listNotes } from '../note/note.repository.ts';
import { type LookOptions, noteLook } from '../record/note-look.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { actStates } from './act-states.ts';
import { listMessages } from './message-log.ts';
import { describeSignIn } from './sign-in-states.ts';
import { describeWays } from './ways.ts';

export interface CaseOptions extends SignInLimitOptions, LookOptions {
  db: Kysely<Database>;
  deskSessions: Pick<DeskSessionService, 'countLook'>;
  contacts: Pick<ContactService, 'describe'>;
  callerChecks: Pick<CallerCheckService, 'find'>;
  approvals: Pick<ApprovalService, 'findFor'>;
  sessions: Pick<SessionService, 'listOf'>;
  grants: Pick<GrantService, 'listAuthorizations' | 'listEnded'>;
  activityReview: Pick<ActivityReviewService, 'list'>;
}

interface ActivityChoice {
  after?: string | undefined;
  kind?: ActivityGroup | undefined;
}

/** One account as whoever answers the phone needs it. */
export interface CaseService {
  /** @throws AppError not_found, rate_limited */
  show(member: StaffAtWork, accountId: string): Promise<DeskAccount>;
  /** @throws AppError not_found, invalid_request for an `after` that no page named */
  listActivity(member: StaffAtWork, accountId: string, choice: ActivityChoice): Promise<ActivityList>;
  /** @throws AppError as `listActivity` */
  listMessages(member: StaffAtWork, accountId: string, after?: string): Promise<DeskMessageList>;
}

const MOST_NOTES = 20;

/** As its person reads it; staff dispute nothing. */
const readActivity = async (
  { activityReview }: CaseOptions,
  accountId: string,
  choice: ActivityChoice,
): Promise<ActivityList> => {
  const { items, ...next } = await activityReview.list({ accountId, brand: '', uid: '' }, choice);
  return { items: items.map((item) => ({ ...item, disputable: false })), ...next };
};

const describe = async (
  options: CaseOptions,
  member: StaffAtWork,
  record: AccountRecord,
): Promise<DeskAccount> => {
  const { db, contacts, callerChecks, approvals, sessions, grants, now } = options;
  const { id, nickname, locale, created_at, status, leaving_at } = record.account;
  const ways = await describeWays(db, id, now());
  const states = await describeSignIn(db, options, record, ways);
  const { lastSignInAt } = await findHoldings(db, id);
  const caller = await callerChecks.find(member, record);
  const approval = await approvals.findFor(member, id);
  const notes = await listNotes(db, id, MOST_NOTES);
  const isProven = caller.state === 'right';
  const known = { isProven, disabled: status === 'disabled', leaving: leaving_at !== null };
  return {
    id,
    nickname,
    locale,
    createdAt: created_at.toISOString(),
    contacts: await contacts.describe(member, record),
    signIn: {
      can: !states.some(({ blocks }) => blocks),
      states,
      ...(lastSignInAt && { lastAt: lastSignInAt.toISOString() }),
    },
    messages: await listMessages(db, record, { now: now() }),
    ways,
    sessions: await sessions.listOf(id),
    apps: (await grants.listAuthorizations(id)).items,
    endedApps: (await grants.listEnded(id)).items,
    activity: await readActivity(options, id, {}),
    caller,
    acts: actStates(member, id, known),
    ...(approval && { approval }),
    notes: notes.map(({ created_at: at, written_by: by, text }) => ({ at: at.toISOString(), by, text })),
  };
};

export const createCaseService = (options: CaseOptions): CaseService => {
  const { db, deskSessions, now } = options;

  /** Counts and records the look before anything is shown. */
  const open = async (member: StaffAtWork, accountId: string, subject?: string): Promise<AccountRecord> => {
    await deskSessions.countLook(member);
    const [record] = await listAccounts(db, [accountId]);
    if (!record) {
      await recordLook(db, member.actor, { action: 'look', subject: 'not_found', outcome: 'refused' });
      throw new AppError('not_found');
    }
    await inTransaction(db, async (trx) => {
      await noteLook(trx, options, accountId);
      await appendRecord(trx, member.actor, { action: 'look', account: accountId, subject });
    });
    return record;
  };

  return {
    show: async (member, accountId) => describe(options, member, await open(member, accountId)),

    listActivity: async (member, accountId, choice) => {
      await open(member, accountId, 'activity');
      return readActivity(options, accountId, choice);
    },

    listMessages: async (member, accountId, after) =>
      listMessages(db, await open(member, accountId, 'messages'), { after, now: now() }),
  };
};
