import { randomUUID } from 'node:crypto';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { AppError } from '../../ground/errors.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import { findStaffRole } from '../staff/staff.repository.ts';
import type { ActOutcome, ActWork } from './act-work.ts';
import { approvalRows } from './approval.repository.ts';
import { hasFactorOf } from './approved-factor.ts';
import { contactOf } from './contact-acts.ts';

/** Whether a second operator is asked already: by somebody who may still ask, and about this factor. */
const isAsked = async ({ trx, base, record }: ActWork): Promise<boolean> => {
  const asked = await approvalRows.find(trx, { account_id: record.account.id }, base.now());
  if (!asked || (await findStaffRole(trx, asked.asked_by)) !== 'operator') return false;
  return hasFactorOf(trx, asked);
};

/**
 * Asks a second operator, in place of a request that nobody can approve any more.
 * @throws AppError role_insufficient, approval_asked
 */
const askSecond = async (work: ActWork): Promise<ActOutcome> => {
  const { trx, base, member, record, input } = work;
  if (member.role !== 'operator') throw new AppError('role_insufficient');
  if (await isAsked(work)) throw new AppError('approval_asked');
  const asked_by = member.current.accountId;
  const row = { id: randomUUID(), account_id: record.account.id, asked_by, reason: input.reason };
  const { id } = await approvalRows.put(trx, { ...row, created_at: base.now() }, base.now());
  return { approval: id };
};

/**
 * Lets a lost second factor go: as for whoever asks for it at the recovery, after 72 hours, in which every contact is told
 * and has a link that stops it; or at once, where a second operator approves.
 */
export const removeFactor = async (work: ActWork): Promise<ActOutcome> => {
  const { trx, record, recoveryWaits, input, brand } = work;
  if (!(await findActiveSince(trx, record.account.id))) throw new AppError('nothing_to_do');
  if (input.atOnce) return askSecond(work);
  const proven = contactOf(work);
  const { dueAt, notices, started } = await recoveryWaits.start(trx, { ...record, proven }, { brand });
  if (!started) throw new AppError('nothing_to_do');
  for (const notice of notices) await notice.start();
  return { at: dueAt, subject: maskIdentifier(proven.value) };
};

export const stopRemoval = async ({ trx, record, recoveryWaits, brand }: ActWork): Promise<ActOutcome> => {
  const stopped = await recoveryWaits.stopPassed(trx, record.account.id, { brand, mayStop: () => true });
  if (stopped.count === 0) throw new AppError('nothing_to_do');
  await stopped.start();
  return {};
};
