import type { DeskAct } from '@candela/contract';
import { findSpentTries, liftTries } from '../../care/account-status/sign-in-limits.ts';
import { AppError } from '../../ground/errors.ts';
import { findExport } from '../../person/account-export/account-export.repository.ts';
import { insertNote } from '../note/note.repository.ts';
import type { ActOutcome, ActWork } from './act-work.ts';
import { checkContact, resendRecovery } from './contact-acts.ts';
import { removeFactor, stopRemoval } from './factor-acts.ts';

const nothingToDo = () => new AppError('nothing_to_do');

const liftLimits = async ({ trx, base, record }: ActWork): Promise<ActOutcome> => {
  const spent = await findSpentTries(trx, base, record);
  if (!spent.some(({ kind }) => kind !== 'codes_spent')) throw nothingToDo();
  await liftTries(trx, base, record);
  return {};
};

const disable = async ({ statuses, record, input }: ActWork): Promise<ActOutcome> => {
  if (record.account.status === 'disabled') throw nothingToDo();
  await statuses.disable(record.account.id, { reason: input.reason, endLinks: false });
  return {};
};

const enable = async ({ statuses, record }: ActWork): Promise<ActOutcome> => {
  if (!(await statuses.enable(record.account.id)).changed) throw nothingToDo();
  return {};
};

const endSessions = async ({ endings, record }: ActWork): Promise<ActOutcome> => {
  if ((await endings.endSessionsFor(record.account.id)) === 0) throw nothingToDo();
  return {};
};

const beginLeaving = async ({ leavings, record, brand }: ActWork): Promise<ActOutcome> => {
  if (record.account.leaving_at) throw nothingToDo();
  const { endsAt } = await leavings.leaveFor(record.account.id, brand);
  return { at: endsAt };
};

const keep = async ({ leavings, record, brand }: ActWork): Promise<ActOutcome> => {
  if (!(await leavings.keepFor(record.account.id, brand)).changed) throw nothingToDo();
  return {};
};

const startExport = async ({ trx, dataExports, record, brand }: ActWork): Promise<ActOutcome> => {
  if ((await findExport(trx, record.account.id))?.ready_at === null) throw nothingToDo();
  await dataExports.requestFor(record.account.id, brand.id);
  return {};
};

const withdraw = async ({ endings, record, input }: ActWork): Promise<ActOutcome> => {
  const { clientId } = await endings.withdrawFor(record.account.id, input.authorization ?? '');
  return { subject: clientId };
};

const keepNote = async ({ trx, record, member, input }: ActWork): Promise<ActOutcome> => {
  const note = { account_id: record.account.id, written_by: member.actor.name, text: input.reason };
  await insertNote(trx, note);
  return {};
};

/** What each act does. Whoever calls it has locked the account, and asked whether it may be done. */
export const acts: Readonly<Record<DeskAct, (work: ActWork) => Promise<ActOutcome>>> = {
  'end-sessions': endSessions,
  'lift-limits': liftLimits,
  'resend-recovery': resendRecovery,
  'check-contact': checkContact,
  'remove-factor': removeFactor,
  'stop-removal': stopRemoval,
  disable,
  enable,
  'begin-leaving': beginLeaving,
  keep,
  export: startExport,
  'withdraw-authorization': withdraw,
  note: keepNote,
};
