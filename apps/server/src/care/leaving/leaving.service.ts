import { GRACE_DAYS } from '@candela/contract/rules/leaving';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createLease } from '../../ground/lease/lease.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import { lengthenLinks } from '../../link/grant/grant-change.repository.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { findNamedAccount } from '../account-status/named-account.ts';
import { type DeletionOptions, deleteAccount } from './account-deletion.ts';
import { carryOutDue } from './due-deletions.ts';
import { updateKept, updateLeaving } from './leaving.repository.ts';

type Brand = MessageBrand & { id: string };

export interface LeavingOptions extends DeletionOptions {
  events: EventSink;
}

/** A person leaves: the account is deleted after a grace, in which they can keep it. */
export interface LeavingService {
  /**
   * Lets the grace begin. All sessions and bound tokens end, links are suspended, and all contacts are told.
   * @returns when the grace ends.
   * @throws AppError deletion_pending, not_signed_in
   */
  leave(current: CurrentSession, brand: Brand): Promise<Date>;
  /**
   * The same for an operator, who names the account by its id or an identifier as typed.
   * @throws AppError deletion_pending, account_not_found, and those of the identifier
   */
  leaveFor(named: string, brand: Brand): Promise<{ id: string; endsAt: Date }>;
  /**
   * Deletes an account at once, for an operator; all contacts are told.
   * @throws AppError account_not_found, and those of the identifier
   */
  deleteNow(named: string): Promise<{ id: string }>;
  /**
   * Keeps the account: links work again, and all contacts are told. It succeeds where nothing was to be deleted.
   * @throws AppError not_signed_in
   */
  keep(current: CurrentSession, brand: Brand): Promise<void>;
  /**
   * The same for staff; `changed` is false where nothing was to be deleted.
   * @throws AppError account_not_found, and those of the identifier
   */
  keepFor(named: string, brand: Brand): Promise<{ id: string; changed: boolean }>;
  /**
   * Deletes the accounts whose grace is over by the database's clock, and answers how many; all contacts are told. Of several processes one
   * at a time does so.
   */
  carryOut(signal?: AbortSignal): Promise<number>;
}

/** After so long another process takes over the deletions of one that died. */
const LEASE_SECONDS = 60;

type Lock = (trx: Kysely<Database>) => Promise<AccountRecord>;

/** The brand that tells of it, and the session in which its person did it; absent: somebody else did. */
interface Place {
  brand: Brand;
  session?: CurrentSession;
}

/** Lets the grace begin in a transaction that holds the account. */
const beginGrace = async (
  trx: Kysely<Database>,
  options: LeavingOptions,
  { account, identifiers }: AccountRecord,
  { brand, session }: { brand: Brand; session?: CurrentSession },
): Promise<{ endsAt: Date; ended: number; notices: Delivery[] }> => {
  const accountId = account.id;
  if (account.leaving_at) throw new AppError('deletion_pending');
  const endsAt = await updateLeaving(trx, accountId);
  await noteActivity(trx, {
    accountId,
    kind: 'deletion_requested',
    brand: brand.id,
    ...(session ? { session } : { by: 'admin' as const }),
  });
  const stopped = await stopWaits(trx, options, accountId, { brand });
  const row = session ? ends.accountLeaves : ({ ...ends.accountLeaves, by: 'admin' } as const);
  const { sessions } = await end(trx, row, {
    accountId,
    identifiers: identifiers.map(({ value }) => value),
  });
  await lengthenLinks(trx, accountId, GRACE_DAYS);
  const notices = await addNotices(trx, options.messages, identifiers, {
    notice: 'deletion_requested',
    at: endsAt,
    locale: account.locale,
    brand,
  });
  return { endsAt, ended: sessions.length, notices: [stopped, ...notices] };
};

const requireLocked = async (trx: Kysely<Database>, id: string): Promise<AccountRecord> => {
  const record = await lockAccount(trx, id);
  if (!record) throw new AppError('account_not_found');
  return record;
};

export const createLeavingService = (options: LeavingOptions): LeavingService => {
  const { db, messages, events, now } = options;
  const lease = createLease(db, { name: 'leaving', seconds: LEASE_SECONDS });

  const begin = async (lock: Lock, place: Place) => {
    const { id, endsAt, ended, notices } = await transact(db, async (trx) => {
      const record = await lock(trx);
      return { id: record.account.id, ...(await beginGrace(trx, options, record, place)) };
    });
    const actor = place.session ? undefined : 'operator';
    events.emit('account.deletion_requested', { accountId: id, brand: place.brand.id, actor });
    if (ended > 0) events.emit('sessions.ended', { accountId: id, count: ended });
    await Promise.all(notices.map((notice) => notice.start()));
    return { id, endsAt };
  };

  const keep = async (accountId: string, lock: Lock, { brand, session }: Place): Promise<boolean> => {
    const notices = await transact(db, async (trx) => {
      const { account, identifiers } = await lock(trx);
      if (!account.leaving_at) return undefined;
      await updateKept(trx, accountId);
      const by = session ? { session } : { brand: brand.id, by: 'admin' as const };
      await noteActivity(trx, { accountId, kind: 'deletion_cancelled', ...by });
      const told = { notice: 'deletion_cancelled' as const, at: now(), locale: account.locale, brand };
      return addNotices(trx, messages, identifiers, told);
    });
    if (!notices) return false;
    const actor = session ? undefined : 'operator';
    events.emit('account.deletion_cancelled', { accountId, brand: brand.id, actor });
    await Promise.all(notices.map((notice) => notice.start()));
    return true;
  };

  return {
    leave: async (current, brand) => {
      const lock = (trx: Kysely<Database>) => lockOwnAccount(trx, current, {});
      return (await begin(lock, { brand, session: current })).endsAt;
    },

    leaveFor: async (named, brand) => {
      const id = await findNamedAccount(db, named);
      return begin((trx) => requireLocked(trx, id), { brand });
    },

    deleteNow: async (named) => {
      const id = await findNamedAccount(db, named);
      if (!(await deleteAccount(options, id, { due: false }))) throw new AppError('account_not_found');
      events.emit('account.deleted', { accountId: id, actor: 'operator' });
      return { id };
    },

    keep: async (current, brand) => {
      await keep(current.accountId, (trx) => lockOwnAccount(trx, current), { brand, session: current });
    },

    keepFor: async (named, brand) => {
      const id = await findNamedAccount(db, named);
      return { id, changed: await keep(id, (trx) => requireLocked(trx, id), { brand }) };
    },

    carryOut: async (signal) => {
      const mayGoOn = (isHeld: () => Promise<boolean>) => async () => !signal?.aborted && isHeld();
      const deleted = await lease.hold((isHeld) => carryOutDue(options, mayGoOn(isHeld)));
      return deleted ?? 0;
    },
  };
};
