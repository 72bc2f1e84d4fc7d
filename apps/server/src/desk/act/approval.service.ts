import type { ActDone, DeskApproval } from '@candela/contract';
import type { Kysely } from 'kysely';
import { resetFactors } from '../../care/account-status/factor-reset.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { listAccounts, lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { lockStaffRole } from '../staff/staff.repository.ts';
import type { ActBrand, ActOptions } from './act-work.ts';
import { approvalRows, listApprovals } from './approval.repository.ts';
import type { DeskApprovalRow } from './approval.table.ts';
import { hasFactorOf } from './approved-factor.ts';
import { holdEffects } from './held-effects.ts';

interface ApprovalAnswer {
  approve: boolean;
  reason: string;
  brand: ActBrand;
}

/** What one operator asks and another one answers. */
export interface ApprovalService {
  /** The oldest first; at most 100. */
  list(member: StaffAtWork): Promise<{ items: DeskApproval[] }>;
  /** What waits for an account. */
  findFor(member: StaffAtWork, accountId: string): Promise<DeskApproval | undefined>;
  /**
   * Approves, and so switches the second factor off at once, or declines. One answer counts.
   * @throws AppError not_found, own_approval, own_account, role_insufficient, nothing_to_do
   */
  answer(member: StaffAtWork, id: string, answered: ApprovalAnswer): Promise<ActDone>;
}

const MOST = 100;

const describe = async (
  db: Kysely<Database>,
  { current }: StaffAtWork,
  rows: readonly DeskApprovalRow[],
): Promise<DeskApproval[]> => {
  const ids = rows.flatMap(({ account_id, asked_by }) => [account_id, asked_by]);
  const records = new Map((await listAccounts(db, ids)).map((record) => [record.account.id, record]));
  const named = (id: string) => ({ id, nickname: records.get(id)?.account.nickname ?? '' });
  return rows.map(({ id, account_id, asked_by, created_at, reason, expires_at }) => ({
    id,
    act: 'remove-factor',
    account: named(account_id),
    askedBy: named(asked_by),
    askedAt: created_at.toISOString(),
    reason,
    until: expires_at.toISOString(),
    own: asked_by === current.accountId,
  }));
};

/** Locks what an answer takes: the account, then the roles of both operators. Whoever asked may decline it. */
const lockForAnswer = async (
  trx: Kysely<Database>,
  { current }: StaffAtWork,
  { account_id, asked_by }: DeskApprovalRow,
  { approve }: ApprovalAnswer,
): Promise<void> => {
  if (account_id === current.accountId) throw new AppError('own_account');
  if (!(await lockAccount(trx, account_id))) throw new AppError('not_found');
  // In one order, so that two operators who answer each other do not wait for each other.
  const roles = new Map<string, string | undefined>();
  for (const id of [asked_by, current.accountId].toSorted()) roles.set(id, await lockStaffRole(trx, id));
  if (roles.get(current.accountId) !== 'operator') throw new AppError('role_insufficient');
  if (!approve) return;
  if (asked_by === current.accountId) throw new AppError('own_approval');
  // Who is no operator any more asks for nothing.
  if (roles.get(asked_by) !== 'operator') throw new AppError('nothing_to_do');
};

/** Switches the factor off, and ends the recovery without it that waits: there is nothing left to wait for. */
const carryOut = async (
  trx: Kysely<Database>,
  options: ActOptions,
  asked: DeskApprovalRow,
  brand: ActBrand,
): Promise<void> => {
  const { account_id: accountId } = asked;
  if (!(await hasFactorOf(trx, asked))) throw new AppError('nothing_to_do');
  const base = { ...options, db: trx };
  await resetFactors({ ...base, brand }, accountId);
  const stopped = await stopWaits(trx, base, accountId, { brand });
  await stopped.start();
  const detail = { act: 'remove-factor' as const };
  await noteActivity(trx, { accountId, kind: 'staff_acted', brand: brand.id, detail, by: 'admin' });
};

/** Answers what is asked, in one transaction with its entry in the record. */
const settle = (options: ActOptions, member: StaffAtWork, id: string, answered: ApprovalAnswer) =>
  transact(options.db, async (trx) => {
    const { approve, reason, brand } = answered;
    const held = holdEffects(options);
    const asked = await approvalRows.find(trx, { id }, options.now());
    if (!asked) throw new AppError('not_found');
    await lockForAnswer(trx, member, asked, answered);
    // Two answers at the same time: the row is the first one's.
    if (!(await approvalRows.take(trx, { id }, options.now()))) throw new AppError('nothing_to_do');
    if (approve) await carryOut(trx, { ...options, ...held }, asked, brand);
    const accountId = asked.account_id;
    const said = { account: accountId, reason, subject: `asked by ${asked.asked_by}` };
    const action = approve ? 'remove-factor-now' : 'decline';
    return { accountId, held, entry: await appendRecord(trx, member.actor, { ...said, action }) };
  });

/** The transaction is gone, and its entry with it. */
const recordRefusal = async (
  { db }: ActOptions,
  { actor }: StaffAtWork,
  id: string,
  { approve, reason }: ApprovalAnswer,
  error: unknown,
): Promise<never> => {
  if (!(error instanceof AppError)) throw error;
  const asked = await approvalRows.findKept(db, { id });
  const about = asked && { account: asked.account_id };
  const action = approve ? 'approve' : 'decline';
  await recordLook(db, actor, { ...about, action, reason, subject: error.code, outcome: 'refused' });
  throw error;
};

export const createApprovalService = (options: ActOptions): ApprovalService => {
  const { db, events, now } = options;

  return {
    list: async (member) => {
      await recordLook(db, member.actor, { action: 'look-at-approvals' });
      return { items: await describe(db, member, await listApprovals(db, now(), MOST)) };
    },

    findFor: async (member, accountId) => {
      const row = await approvalRows.find(db, { account_id: accountId }, now());
      return row && (await describe(db, member, [row]))[0];
    },

    answer: async (member, id, answered) => {
      const { approve } = answered;
      const { accountId, entry, held } = await settle(options, member, id, answered).catch((error: unknown) =>
        recordRefusal(options, member, id, answered, error),
      );
      await held.release();
      events.emit('desk.acted', {
        accountId,
        actor: 'operator',
        reason: approve ? 'remove_factor_now' : 'decline',
      });
      return { entry };
    },
  };
};
