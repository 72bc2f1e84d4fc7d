import type { Account } from '@candela/contract';
import type { Kysely } from 'kysely';
import {
  type AccountRecord,
  findAccountByIdentifier,
  insertIdentifier,
  lockIdentifierValues,
  updateAccountTime,
  updateIdentifierDisplay,
} from '../account/account.repository.ts';
import type { AccountService } from '../account/account.service.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import type { Caller } from '../browser/caller.ts';
import { findPassword } from '../credential/password.repository.ts';
import type { Database } from '../db/database.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { AppError } from '../errors.ts';
import type { EventName } from '../event/event-names.ts';
import type { EventSink } from '../event/events.ts';
import { parseEmail } from '../identifier/email.ts';
import type { Identifier, IdentifierKind } from '../identifier/identifier.ts';
import { parsePhone } from '../identifier/phone.ts';
import {
  deleteWaitingChanges,
  deleteYoungerLosses,
  findGivenUp,
  findLoss,
  listWaitingChanges,
} from '../identifier-change/identifier-change.repository.ts';
import { lockOwnAccount } from '../session/lock-own-account.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { ProvenSession } from '../step-up/proof.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import { countChange } from './change-limits.ts';
import { loseIdentifier, needsProofOf, noteChange, type UndoLink } from './identifier-loss.ts';
import { boundSince, opensChange } from './identifier-seniority.ts';

export interface IdentifierChangeOptions {
  db: Kysely<Database>;
  accounts: Pick<AccountService, 'requireAccount'>;
  verification: Pick<VerificationService, 'spendCode'>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

interface ChangeInput {
  kind: IdentifierKind;
  /** What the proofs of the session do not open at once happens after 72 hours. */
  wait: boolean;
  brand: MessageBrand & { id: string };
}

interface SetIdentifierInput extends ChangeInput, Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

/**
 * The phone number and e-mail address of an account; all of its contacts are told of each change, and whoever
 * loses one without having proven it can undo that.
 */
export interface IdentifierChangeService {
  /**
   * Binds an identifier whose code is right, instead of the one of its kind that was bound before; `waits` where
   * that happens later.
   * @throws AppError phone_invalid, email_invalid, code_incorrect, code_expired, code_exhausted, rate_limited;
   *   for these the code stays good: identifier_taken, step_up_required with the kind among the fields (a code
   *   to what would be replaced opens it), rate_limited after many changes of the account; not_signed_in
   */
  setIdentifier(
    current: ProvenSession,
    input: SetIdentifierInput,
  ): Promise<{ account: Account; waits: boolean }>;
  /**
   * Unbinds the identifier of the kind; that there is none is no fault.
   * @throws AppError last_identifier, step_up_required and rate_limited as for `setIdentifier`, not_signed_in
   */
  removeIdentifier(current: ProvenSession, input: ChangeInput): Promise<{ waits: boolean }>;
  /**
   * Gives up a change that waits.
   * @throws AppError not_found, not_signed_in
   */
  cancelChange(current: CurrentSession, id: string): Promise<void>;
}

const readPhone = (typed: string) => {
  const value = parsePhone(typed);
  return value && { value, display: value };
};

const requireOfKind = (kind: IdentifierKind, typed: string): Identifier => {
  const parsed = kind === 'phone' ? readPhone(typed) : parseEmail(typed);
  if (!parsed) throw new AppError(`${kind}_invalid`, { fields: { [kind]: `${kind}_invalid` } });
  return { kind, ...parsed };
};

const findOfKind = ({ identifiers }: AccountRecord, kind: IdentifierKind) =>
  identifiers.find((row) => row.kind === kind);

const isTaken = (kind: IdentifierKind) =>
  new AppError('identifier_taken', { fields: { [kind]: 'identifier_taken' } });

/** What a change came to, to be told after the commit. */
interface Outcome {
  notices: Delivery[];
  happened: readonly EventName[];
}

/** What opened a change at once. */
type Opening = NonNullable<ReturnType<typeof opensChange>>;

const nothing: Outcome = { notices: [], happened: [] };

export const createIdentifierChangeService = (options: IdentifierChangeOptions): IdentifierChangeService => {
  const { db, accounts, verification, messages, events, now } = options;

  const letWait = async (
    trx: Kysely<Database>,
    { account, identifiers }: AccountRecord,
    { old, next, brand }: { old: AccountIdentifierRow; next?: Identifier; brand: ChangeInput['brand'] },
  ): Promise<Outcome> => {
    const { kind } = old;
    const waiting = (await listWaitingChanges(trx, account.id)).find((change) => change.kind === kind);
    // Asked for again it neither begins anew nor is told again.
    if (waiting && waiting.new_value === (next?.value ?? null))
      return { notices: [], happened: ['identifier.change_waits'] };
    await countChange(trx, account.id, { now: now(), events });
    await deleteWaitingChanges(trx, account.id, { kind });
    const undo = await noteChange(trx, { old, next, waits: true, brand: brand.id });
    const notices = await addNotices(trx, messages, identifiers, {
      notice: next ? `${kind}_change_waits` : `${kind}_unbind_waits`,
      contact: next ?? old,
      undo,
      at: now(),
      locale: account.locale,
      brand,
    });
    return { notices, happened: ['identifier.change_waits'] };
  };

  /** The link for who loses an identifier without a proof of it; there is none against an older one's. */
  const linkFor = async (
    trx: Kysely<Database>,
    opened: Opening,
    change: Omit<Parameters<typeof noteChange>[1], 'waits'>,
  ): Promise<UndoLink | undefined> =>
    opened === 'code' ? undefined : noteChange(trx, { ...change, waits: false });

  /**
   * The age that a new identifier inherits: of what it takes the place of by a code, or of what the same session
   * gave up before. Whoever came between the two cannot take the new one either.
   */
  const inheritedAge = async (
    trx: Kysely<Database>,
    { accountId, uid, proofs }: ProvenSession,
    { kind, old, opened }: { kind: IdentifierKind; old: AccountIdentifierRow | undefined; opened?: Opening },
  ): Promise<Date | undefined> => {
    if (old) return opened === 'password' ? undefined : boundSince(old);
    return (await findGivenUp(trx, accountId, { kind, uid, proofs }))?.bound_at;
  };

  const replace = async (
    trx: Kysely<Database>,
    record: AccountRecord,
    {
      identifier,
      current,
      wait,
      brand,
    }: {
      identifier: Identifier;
      current: ProvenSession;
    } & Pick<ChangeInput, 'wait' | 'brand'>,
  ): Promise<Outcome> => {
    const { account, identifiers } = record;
    const { kind, value, display } = identifier;
    const at = now();
    const old = findOfKind(record, kind);
    if (old?.value === value) {
      // It stays bound since it was: to prove it again must not make it look younger.
      await updateIdentifierDisplay(trx, identifier);
      await updateAccountTime(trx, account.id, at);
      return nothing;
    }
    // Whoever proves what this account lost a short while ago has it back as it was.
    const loss = await findLoss(trx, account.id, identifier);
    const row = { kind, value, display, account_id: account.id, verified_at: loss?.bound_at ?? at };
    const standing = {
      identifiers: loss ? [...identifiers, row] : identifiers,
      password: await findPassword(trx, account.id),
    };
    const opened = old ? opensChange([...current.proofs, value], old, standing) : 'code';
    if (old && !opened) {
      if (!wait) throw needsProofOf(old);
      if (await findAccountByIdentifier(trx, identifier)) throw isTaken(kind);
      return letWait(trx, record, { old, next: identifier, brand });
    }
    await countChange(trx, account.id, { now: at, events });
    if (old) await loseIdentifier(trx, old);
    if (loss) await deleteYoungerLosses(trx, account.id, loss.bound_at);
    const undo = old && opened && (await linkFor(trx, opened, { old, next: identifier, brand: brand.id }));
    // Waits for another account that is binding the same one; of two, one is taken.
    const inherited = await inheritedAge(trx, current, { kind, old, ...(opened && { opened }) });
    const isOlder = inherited !== undefined && inherited < row.verified_at;
    if (!(await insertIdentifier(trx, { ...row, ...(isOlder && { bound_since: inherited }) })))
      throw isTaken(kind);
    await updateAccountTime(trx, account.id, at);
    const notices = await addNotices(trx, messages, [row, ...identifiers], {
      notice: old ? `${kind}_changed` : `${kind}_bound`,
      contact: row,
      ...(undo && { undo }),
      at,
      locale: account.locale,
      brand,
    });
    return { notices, happened: old ? ['identifier.removed', 'identifier.bound'] : ['identifier.bound'] };
  };

  const remove = async (
    trx: Kysely<Database>,
    record: AccountRecord,
    { kind, current, wait, brand }: ChangeInput & { current: ProvenSession },
  ): Promise<Outcome> => {
    const { account, identifiers } = record;
    const at = now();
    const old = findOfKind(record, kind);
    if (!old) return nothing;
    if (identifiers.length === 1) throw new AppError('last_identifier');
    const { proofs, uid } = current;
    const opened = opensChange(proofs, old, { identifiers, password: await findPassword(trx, account.id) });
    if (!opened) {
      if (!wait) throw needsProofOf(old);
      return letWait(trx, record, { old, brand });
    }
    await countChange(trx, account.id, { now: at, events });
    await loseIdentifier(trx, old);
    if (proofs.includes(old.value))
      await noteChange(trx, { old, waits: false, brand: brand.id, givenUpIn: uid });
    const undo = await linkFor(trx, opened, { old, brand: brand.id });
    await updateAccountTime(trx, account.id, at);
    const notices = await addNotices(trx, messages, identifiers, {
      notice: `${kind}_unbound`,
      contact: old,
      ...(undo && { undo }),
      at,
      locale: account.locale,
      brand,
    });
    return { notices, happened: ['identifier.removed'] };
  };

  /** Answers whether it waits. */
  const tell = async (
    { accountId }: CurrentSession,
    kind: IdentifierKind,
    { notices, happened }: Outcome,
  ): Promise<boolean> => {
    for (const event of happened) events.emit(event, { accountId, kind });
    await Promise.all(notices.map((notice) => notice.start()));
    return happened.includes('identifier.change_waits');
  };

  return {
    setIdentifier: async (current, { brand, wait, ...input }) => {
      const { kind, code, device, address } = input;
      const { accountId } = current;
      const identifier = requireOfKind(kind, input.identifier);
      const proof = {
        identifier: identifier.value,
        code,
        purpose: 'bind' as const,
        device,
        address,
        accountId,
      };
      const outcome = await verification.spendCode(proof, {
        lock: async (trx) => {
          const record = await lockOwnAccount(trx, current);
          const old = findOfKind(record, kind);
          // Before the code: to bind one is to void the proofs of the other, which its next owner may be using.
          await lockIdentifierValues(trx, [identifier.value, ...(old ? [old.value] : [])]);
          return record;
        },
        open: (trx, record) => replace(trx, record, { identifier, current, wait, brand }),
      });
      const waits = await tell(current, kind, outcome);
      return { account: await accounts.requireAccount(accountId), waits };
    },

    removeIdentifier: async (current, input) => {
      const outcome = await db.transaction().execute(async (trx) => {
        const record = await lockOwnAccount(trx, current);
        return remove(trx, record, { ...input, current });
      });
      return { waits: await tell(current, input.kind, outcome) };
    },

    cancelChange: async (current, id) => {
      const { accountId } = current;
      const given = await db.transaction().execute(async (trx) => {
        await lockOwnAccount(trx, current);
        return deleteWaitingChanges(trx, accountId, { id });
      });
      if (given === 0) throw new AppError('not_found');
      events.emit('identifier.change_cancelled', { accountId });
    },
  };
};
