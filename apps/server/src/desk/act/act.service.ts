import { type ActDone, type DeskAct, deskActs, mayAs } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { isProven } from '../caller/caller-check.service.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { lockStaffRole } from '../staff/staff.repository.ts';
import type { ActBrand, ActInput, ActOptions, ActOutcome, ActPlace, ActServices } from './act-work.ts';
import { acts } from './acts.ts';
import { holdEffects } from './held-effects.ts';

interface Asked {
  accountId: string;
  act: DeskAct;
  input: ActInput;
  brand: ActBrand;
}

export interface ActService {
  /**
   * Does an act to an account, in one transaction with its entry in the record and what the person sees of it: all of it,
   * or nothing. A refused act is recorded as such.
   * @throws AppError not_found, own_account, role_insufficient, caller_unproven, nothing_to_do, and those of the act
   */
  perform(member: StaffAtWork, asked: Asked): Promise<ActDone>;
}

/** Locks the account and the role of whoever acts. @throws AppError not_found, role_insufficient, caller_unproven */
const lockForAct = async (
  trx: Kysely<Database>,
  { now }: ActOptions,
  { current }: StaffAtWork,
  { accountId, act }: Asked,
): Promise<AccountRecord> => {
  const record = await lockAccount(trx, accountId);
  if (!record) throw new AppError('not_found');
  // The role may have been taken away since the request began.
  const role = await lockStaffRole(trx, current.accountId);
  if (!role) throw new AppError('not_found');
  const rule = deskActs[act];
  if (!mayAs(role, rule.role)) throw new AppError('role_insufficient');
  const whose = { accountId, staffId: current.accountId, now: now() };
  if (rule.needsCaller && !(await isProven(trx, whose))) throw new AppError('caller_unproven');
  return record;
};

/** What the person sees of it, and its entry in the record. */
const noteAct = async (
  trx: Kysely<Database>,
  { actor }: StaffAtWork,
  { accountId, act, input, brand }: Asked,
  { subject, approval }: ActOutcome,
): Promise<number> => {
  const { reason } = input;
  // Nothing happened to the account yet.
  if (approval) return appendRecord(trx, actor, { action: 'ask-approval', account: accountId, reason });
  if (act !== 'note')
    await noteActivity(trx, {
      accountId,
      kind: 'staff_acted',
      brand: brand.id,
      detail: { act },
      by: 'admin',
    });
  return appendRecord(trx, actor, { action: act, account: accountId, reason, subject });
};

export interface ActServiceOptions extends ActOptions {
  /** The services at work in a place: what they write is committed with the entry of the act, or not at all. */
  servicesIn(place: ActPlace): ActServices;
}

export const createActService = (options: ActServiceOptions): ActService => {
  const { db, events, servicesIn } = options;

  const perform = (member: StaffAtWork, asked: Asked) =>
    transact(db, async (trx) => {
      if (asked.accountId === member.current.accountId) throw new AppError('own_account');
      const held = holdEffects(options);
      const record = await lockForAct(trx, options, member, asked);
      const place = { db: trx, events: held.events, messages: held.messages };
      const base = { ...options, ...place };
      const work = { ...servicesIn(place), base, trx, member, record, ...asked };
      const outcome = await acts[asked.act](work);
      const entry = await noteAct(trx, member, asked, outcome);
      return { held, outcome, entry };
    });

  /** The transaction is gone, and its entry with it. */
  const recordRefusal = async (member: StaffAtWork, { accountId, act, input }: Asked, error: unknown) => {
    if (error instanceof AppError)
      await recordLook(db, member.actor, {
        action: act,
        account: accountId,
        reason: input.reason,
        subject: error.code,
        outcome: 'refused',
      });
    throw error;
  };

  return {
    perform: async (member, asked) => {
      const { accountId, act } = asked;
      const done = await perform(member, asked).catch((error: unknown) =>
        recordRefusal(member, asked, error),
      );
      const { entry, held, outcome } = done;
      await held.release();
      events.emit('desk.acted', { accountId, actor: 'operator', reason: act.replaceAll('-', '_') });
      return {
        entry,
        ...(outcome.at && { at: outcome.at.toISOString() }),
        ...(outcome.approval !== undefined && { approval: outcome.approval }),
      };
    },
  };
};
