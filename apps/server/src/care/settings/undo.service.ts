import type { UndoDetails } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  insertIdentifier,
  lockAccount,
  lockIdentifierValues,
  updateAccountTime,
  updateIdentifierTime,
} from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { insertActivity } from '../../person/activity/activity.repository.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { updatePasswordDoubt } from '../../person/credential/password.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteChangeOfLink,
  deleteWaitingChanges,
  deleteYoungerLosses,
  findChangeOfLink,
} from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { boundSince } from '../../person/step-up/identifier-seniority.ts';
import { loseIdentifier } from './identifier-loss.ts';

type NamedBrand = MessageBrand & { id: string };

export interface UndoOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
  recoveryWaits: Pick<RecoveryWaitService, 'look' | 'stopByLink'>;
}

/** The link in a notice, which works without a session: it undoes a change of an identifier, or stops a recovery. */
export interface UndoService {
  /** @throws AppError not_found once the link is used or over */
  look(token: string): Promise<UndoDetails>;
  /**
   * Binds the identifier as it was bound, or keeps it. The identifier that replaced it goes, all sessions end and all
   * browsers forget the account. Answers the identifier, as its owner typed it; none where a recovery was stopped. The
   * link works once.
   * @throws AppError not_found once the link is used or over; identifier_taken where another account has it now
   */
  undo(token: string, brand: NamedBrand, facts?: RequestFacts): Promise<{ identifier?: string }>;
}

const gone = () => new AppError('not_found');

/**
 * Binds the identifier again as it was bound, in place of what replaced it; answers what is no longer bound.
 * @throws AppError not_found where an older identifier is bound by now; identifier_taken
 */
const restore = async (
  trx: Kysely<Database>,
  { account, identifiers }: AccountRecord,
  { kind, value, display, bound_at }: IdentifierChangeRow,
): Promise<AccountIdentifierRow | undefined> => {
  const row = { kind, value, display, account_id: account.id, verified_at: bound_at };
  const occupant = identifiers.find((one) => one.kind === kind);
  if (occupant?.value === value) {
    await updateIdentifierTime(trx, row);
    return undefined;
  }
  // An older identifier came back in a better way than by this link.
  if (occupant && boundSince(occupant) < bound_at) throw gone();
  if (await findAccountByIdentifier(trx, row)) throw new AppError('identifier_taken');
  if (occupant) await loseIdentifier(trx, occupant);
  if (!(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
  return occupant;
};

/** Undoes a change in a transaction that has locked the account. */
const undoLocked = async (
  trx: Kysely<Database>,
  options: UndoOptions,
  { record, undoHash, brand }: { record: AccountRecord; undoHash: string; brand: NamedBrand },
): Promise<{ change: IdentifierChangeRow; ended: number; notices: Delivery[] }> => {
  const { messages, now } = options;
  const { account, identifiers } = record;
  const change = await deleteChangeOfLink(trx, undoHash);
  if (!change) throw gone();
  const at = now();
  const { kind, value, bound_at } = change;
  const ofKind = identifiers.filter((one) => one.kind === kind && one.value !== value);
  await lockIdentifierValues(trx, [value, ...ofKind.map((one) => one.value)]);
  const replaced = change.done_at === null ? undefined : await restore(trx, record, change);
  await deleteWaitingChanges(trx, account.id);
  await deleteYoungerLosses(trx, account.id, bound_at);
  // Somebody else may know the password: the change was made with it, or nobody can show that it was not.
  await updatePasswordDoubt(trx, account.id, at);
  await updateAccountTime(trx, account.id, at);
  const stopped = await stopWaits(trx, options, account.id, { brand });
  const { sessions } = await end(trx, ends.changeUndone, {
    accountId: account.id,
    identifiers: [value, ...identifiers.map((one) => one.value)],
  });
  const others = identifiers.filter((one) => one.value !== value);
  const notices = await addNotices(trx, messages, [change, ...others], {
    notice: `${kind}_kept`,
    contact: change,
    ...(replaced && { removed: replaced.value }),
    at,
    locale: account.locale,
    brand,
  });
  return { change, ended: sessions.length, notices: [stopped, ...notices] };
};

export const createUndoService = (options: UndoOptions): UndoService => {
  const { db, events, recoveryWaits } = options;

  return {
    look: async (token) => {
      const wait = await recoveryWaits.look(token);
      if (wait) return wait;
      const change = await findChangeOfLink(db, hashToken(token));
      if (!change) throw gone();
      const { kind, value, new_value, requested_at, due_at, done_at } = change;
      return {
        kind,
        identifier: maskIdentifier(value),
        ...(new_value !== null && { replacement: maskIdentifier(new_value) }),
        waits: done_at === null,
        requestedAt: requested_at.toISOString(),
        ...(done_at === null && { dueAt: due_at.toISOString() }),
        endsAt: due_at.toISOString(),
      };
    },

    undo: async (token, brand, facts) => {
      if (await recoveryWaits.stopByLink(token, brand)) return {};
      const undoHash = hashToken(token);
      const found = await findChangeOfLink(db, undoHash);
      if (!found) throw gone();
      const { change, ended, notices } = await inTransaction(db, async (trx) => {
        const record = await lockAccount(trx, found.account_id);
        if (!record) throw gone();
        const undone = await undoLocked(trx, options, { record, undoHash, brand });
        await insertActivity(trx, {
          accountId: record.account.id,
          kind: 'identifier_change_undone',
          brand: brand.id,
          facts,
          detail: contactDetail(undone.change),
        });
        return undone;
      });
      const { account_id: accountId, kind, display } = change;
      events.emit('identifier.change_undone', { accountId, kind });
      if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
      await Promise.all(notices.map((notice) => notice.start()));
      return { identifier: display };
    },
  };
};
