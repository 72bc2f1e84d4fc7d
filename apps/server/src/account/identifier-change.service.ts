import type { Account } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { AppError } from '../errors.ts';
import { parseEmail } from '../identifier/email.ts';
import type { Identifier, IdentifierKind } from '../identifier/identifier.ts';
import { parsePhone } from '../identifier/phone.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { voidProofs } from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import {
  type AccountRecord,
  deleteIdentifier,
  insertIdentifier,
  lockIdentifierValues,
  updateAccountTime,
} from './account.repository.ts';
import type { AccountService } from './account.service.ts';
import type { AccountIdentifierRow } from './account.table.ts';
import { lockOwnAccount } from './lock-own-account.ts';

export interface IdentifierChangeOptions {
  db: Kysely<Database>;
  accounts: Pick<AccountService, 'requireAccount'>;
  verification: Pick<VerificationService, 'spendCode'>;
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

interface SetIdentifierInput {
  kind: IdentifierKind;
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
  brand: MessageBrand;
}

interface RemoveIdentifierInput {
  kind: IdentifierKind;
  brand: MessageBrand;
}

/** The phone number and e-mail address of an account; all of its contacts are told of each change. */
export interface IdentifierChangeService {
  /**
   * Binds an identifier whose code is right, instead of the one of its kind that was bound before.
   * @throws AppError phone_invalid, email_invalid, code_incorrect, code_expired, code_exhausted, rate_limited;
   *   identifier_taken, for which the code stays good; not_signed_in
   */
  setIdentifier(current: CurrentSession, input: SetIdentifierInput): Promise<Account>;
  /**
   * Unbinds the identifier of the kind; that there is none is no fault.
   * @throws AppError last_identifier, not_signed_in
   */
  removeIdentifier(current: CurrentSession, input: RemoveIdentifierInput): Promise<void>;
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

export const createIdentifierChangeService = (options: IdentifierChangeOptions): IdentifierChangeService => {
  const { db, accounts, verification, messages, now } = options;

  const remove = async (trx: Kysely<Database>, old: AccountIdentifierRow) => {
    // Before the row: who proves this identifier holds a code or ticket of it and asks for the row next.
    await voidProofs(trx, [old.value]);
    await deleteIdentifier(trx, old);
  };

  const replace = async (
    trx: Kysely<Database>,
    record: AccountRecord,
    { kind, value, display }: Identifier,
    brand: MessageBrand,
  ): Promise<Delivery[]> => {
    const { account, identifiers } = record;
    const at = now();
    const old = findOfKind(record, kind);
    const isSame = old?.value === value;
    if (old) await (isSame ? deleteIdentifier(trx, old) : remove(trx, old));
    // Waits for another account that is binding the same one; of two, one is taken.
    const row = { kind, value, display, account_id: account.id, verified_at: at };
    if (!(await insertIdentifier(trx, row)))
      throw new AppError('identifier_taken', { fields: { [kind]: 'identifier_taken' } });
    await updateAccountTime(trx, account.id, at);
    if (isSame) return [];
    return addNotices(trx, messages, [row, ...identifiers], {
      notice: old ? `${kind}_changed` : `${kind}_bound`,
      contact: row,
      at,
      locale: account.locale,
      brand,
    });
  };

  const setIdentifier: IdentifierChangeService['setIdentifier'] = async (current, { brand, ...input }) => {
    const { kind, code, device, address } = input;
    const identifier = requireOfKind(kind, input.identifier);
    const proof = { identifier: identifier.value, code, purpose: 'bind' as const, device, address };
    const notices = await verification.spendCode(proof, {
      lock: async (trx) => {
        const record = await lockOwnAccount(trx, current);
        const old = findOfKind(record, kind);
        // Before the code: to bind one is to void the proofs of the other, which its next owner may be using.
        await lockIdentifierValues(trx, [identifier.value, ...(old ? [old.value] : [])]);
        return record;
      },
      open: (trx, record) => replace(trx, record, identifier, brand),
    });
    await Promise.all(notices.map((notice) => notice.start()));
    return accounts.requireAccount(current.accountId);
  };

  const removeIdentifier: IdentifierChangeService['removeIdentifier'] = async (current, { kind, brand }) => {
    const at = now();
    const notices = await db.transaction().execute(async (trx) => {
      const record = await lockOwnAccount(trx, current);
      const { account, identifiers } = record;
      const old = findOfKind(record, kind);
      if (!old) return [];
      if (identifiers.length === 1) throw new AppError('last_identifier');
      await remove(trx, old);
      await updateAccountTime(trx, account.id, at);
      return addNotices(trx, messages, identifiers, {
        notice: `${kind}_unbound`,
        contact: old,
        at,
        locale: account.locale,
        brand,
      });
    });
    await Promise.all(notices.map((notice) => notice.start()));
  };

  return { setIdentifier, removeIdentifier };
};
