import type { Account } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { parseEmail } from '../../ground/identifier/email.ts';
import type { Identifier, IdentifierKind } from '../../ground/identifier/identifier.ts';
import { parsePhone } from '../../ground/identifier/phone.ts';
import { lockIdentifierValues } from '../../person/account/account.repository.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { identifierChangeRows } from '../../person/identifier-change/identifier-change.repository.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import type { VerificationService } from '../../person/verification/verification.service.ts';
import {
  type AskedChange,
  type ChangeOutcome,
  type ChangeStepOptions,
  findOfKind,
} from './identifier-change-step.ts';
import { removeIdentifier } from './identifier-removal.ts';
import { replaceIdentifier } from './identifier-replacement.ts';

export interface IdentifierChangeOptions extends ChangeStepOptions {
  db: Kysely<Database>;
  accounts: Pick<AccountService, 'requireAccount'>;
  verification: Pick<VerificationService, 'spendCode'>;
}

interface ChangeInput extends Omit<AskedChange, 'current'> {
  kind: IdentifierKind;
}

interface SetIdentifierInput extends ChangeInput, Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

/**
 * The phone number and e-mail address of an account. All contacts get a notice of each change. A person who loses an
 * identifier without having proven it can undo the change.
 */
export interface IdentifierChangeService {
  /**
   * Binds an identifier whose code is right, in place of the bound one of its kind; `waits` where that happens later.
   * @throws AppError phone_invalid, email_invalid, code_incorrect, code_expired, code_exhausted, rate_limited;
   *   for these the code stays good: identifier_taken, step_up_required with the kind among the fields (a code
   *   to what would be replaced opens it), rate_limited after many changes of the account; not_signed_in
   */
  setIdentifier(
    current: ProvenSession,
    input: SetIdentifierInput,
  ): Promise<{ account: Account; waits: boolean }>;
  /**
   * Unbinds the identifier of the kind. It succeeds where there is none.
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

export const createIdentifierChangeService = (options: IdentifierChangeOptions): IdentifierChangeService => {
  const { db, accounts, verification, events } = options;

  /** Emits events and sends notices, after the commit; answers whether the change waits. */
  const announce = async (
    { accountId }: CurrentSession,
    kind: IdentifierKind,
    { notices, happened }: ChangeOutcome,
  ): Promise<boolean> => {
    for (const event of happened) events.emit(event, { accountId, kind });
    await Promise.all(notices.map((notice) => notice.start()));
    return happened.includes('identifier.change_waits');
  };

  return {
    setIdentifier: async (current, { kind, code, browserId, address, ...input }) => {
      const { accountId } = current;
      const identifier = requireOfKind(kind, input.identifier);
      const purpose = 'bind' as const;
      const proof = { identifier: identifier.value, code, purpose, browserId, address, accountId };
      const outcome = await verification.spendCode(proof, {
        lock: async (trx) => {
          const record = await lockOwnAccount(trx, current);
          const old = findOfKind(record, kind);
          // Before the code: replacing the old identifier voids its codes, which its next owner may be using.
          await lockIdentifierValues(trx, [identifier.value, ...(old ? [old.value] : [])]);
          return record;
        },
        open: (trx, record) => replaceIdentifier(trx, options, record, { ...input, identifier, current }),
      });
      const waits = await announce(current, kind, outcome);
      return { account: await accounts.requireAccount(accountId), waits };
    },

    removeIdentifier: async (current, input) => {
      const outcome = await inTransaction(db, async (trx) => {
        const record = await lockOwnAccount(trx, current);
        return removeIdentifier(trx, options, record, { ...input, current });
      });
      return { waits: await announce(current, input.kind, outcome) };
    },

    cancelChange: async (current, id) => {
      const { accountId } = current;
      const given = await inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, current);
        const cancelled = await identifierChangeRows.endOf(trx, accountId, { id, done_at: null });
        if (cancelled.length > 0)
          await noteActivity(trx, {
            accountId,
            kind: 'identifier_change_undone',
            session: current,
            tells: [],
          });
        return cancelled.length;
      });
      if (given === 0) throw new AppError('not_found');
      events.emit('identifier.change_cancelled', { accountId });
    },
  };
};
