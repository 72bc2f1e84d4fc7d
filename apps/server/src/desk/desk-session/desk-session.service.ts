import type { DeskSession, StaffRole } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { Proof } from '../../person/step-up/proof.ts';
import type { Holdings } from '../../person/step-up/seniority.ts';
import { type RecordActor, recordLook } from '../record/record.service.ts';
import { findStaffRole, hasStaff } from '../staff/staff.repository.ts';
import { type DeskClass, requireStrong } from './desk-class.ts';
import { deskSessionRows } from './desk-session.repository.ts';
import type { DeskSessionRow } from './desk-session.table.ts';
import { countLooksLeft, hitLook } from './looks.ts';

const MINUTE = 60_000;
/** However often it is used, the desk closes after so long. */
const DESK_MS = 8 * 60 * MINUTE;
const IDLE_MS = 30 * MINUTE;
/** A use is noted at most so often. */
const GRAIN_MS = MINUTE;

/** A member of staff at work, and from where. */
export interface StaffAtWork {
  current: CurrentSession;
  role: StaffRole;
  actor: RecordActor;
  open: DeskSessionRow | undefined;
}

export interface DeskSessionOptions {
  db: Kysely<Database>;
  acr: DeskClass;
  events: EventSink;
  now: () => Date;
}

export interface DeskSessionService {
  /** Whether there is a desk at all. */
  isThere(): Promise<boolean>;
  /** The role of whoever is signed in, and their open desk, whose use is noted; undefined for everybody else. */
  find(current: CurrentSession, address: string): Promise<StaffAtWork | undefined>;
  /**
   * Opens the desk, where what `prove` answers is strong enough.
   * @throws AppError factor_missing where the account has nothing as strong, step_up_required
   */
  open(member: StaffAtWork, holdings: Holdings, prove: () => Promise<readonly Proof[]>): Promise<StaffAtWork>;
  close(member: StaffAtWork): Promise<void>;
  /** @throws AppError step_up_required where the proofs are not strong enough */
  requireStrong(proofs: readonly Proof[]): void;
  describe(member: StaffAtWork): Promise<DeskSession>;
  /** Counts a look. @throws AppError rate_limited; the operators hear of it by an event */
  countLook(member: StaffAtWork): Promise<void>;
}

const endOf = (started: Date, at: Date): Date =>
  new Date(Math.min(started.getTime() + DESK_MS, at.getTime() + IDLE_MS));

export const createDeskSessionService = (options: DeskSessionOptions): DeskSessionService => {
  const { db, acr, events, now } = options;

  const keyOf = ({ brand, uid }: CurrentSession) => ({ brand, session_uid: uid });

  const touch = async (current: CurrentSession, row: DeskSessionRow): Promise<DeskSessionRow> => {
    const expires_at = endOf(row.started_at, now());
    if (expires_at.getTime() - row.expires_at.getTime() < GRAIN_MS) return row;
    return (await deskSessionRows.change(db, keyOf(current), { expires_at }, now())) ?? row;
  };

  return {
    isThere: () => hasStaff(db),

    find: async (current, address) => {
      const role = await findStaffRole(db, current.accountId);
      if (!role) return undefined;
      const [record] = await listAccounts(db, [current.accountId]);
      const row = await deskSessionRows.find(db, keyOf(current), now());
      const name = record?.account.nickname ?? '';
      return {
        current,
        role,
        actor: { kind: 'staff', account: current.accountId, name, role, from: address },
        open: row && (await touch(current, row)),
      };
    },

    open: async (member, holdings, prove) => {
      const { current, actor } = member;
      const hasFactor = acr === 'mfa' && holdings.factorSince !== undefined;
      if (!hasFactor && holdings.passkeys.length === 0) throw new AppError('factor_missing');
      requireStrong(acr, await prove());
      const at = now();
      const { accountId: account_id } = current;
      const row = { ...keyOf(current), account_id, started_at: at, expires_at: endOf(at, at) };
      const open = await deskSessionRows.put(db, row, at);
      await recordLook(db, actor, { action: 'open-desk' });
      events.emit('desk.opened', { accountId: account_id, brand: current.brand });
      return { ...member, open };
    },

    close: async ({ current }) => {
      await deskSessionRows.endOf(db, current.accountId, keyOf(current));
    },

    requireStrong: (proofs) => requireStrong(acr, proofs),

    describe: async ({ current, role, actor, open }) => {
      return {
        account: { id: current.accountId, nickname: actor.name },
        role,
        ...(open && {
          open: {
            startedAt: open.started_at.toISOString(),
            endsAt: new Date(open.started_at.getTime() + DESK_MS).toISOString(),
            idleEndsAt: open.expires_at.toISOString(),
          },
        }),
        acr,
        looksLeft: await countLooksLeft(db, current.accountId, now()),
      };
    },

    countLook: ({ current }) => hitLook(options, current),
  };
};
