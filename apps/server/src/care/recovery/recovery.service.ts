import type { PasskeyRequestOptions, SecondFactorWay } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import {
  findAccountByIdentifier,
  listAccounts,
  lockAccount,
} from '../../person/account/account.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import { keepingTicket, readTicket, type Ticket } from '../../person/verification/ticket.service.ts';
import type { VerificationService } from '../../person/verification/verification.service.ts';
import {
  type PasswordRecoveryOptions,
  type RecoverPasswordInput,
  recoverPassword,
} from './password-recovery.ts';
import { type ProvenOwner, requireOwner } from './proven-owner.ts';
import {
  emptyReview,
  type ProveFactorInput,
  proveRecoveryFactor,
  type RecoveryReview,
  type RecoveryReviewOptions,
  reviewOf,
} from './recovery-review.ts';

export interface RecoveryOptions extends PasswordRecoveryOptions, RecoveryReviewOptions {
  verification: Pick<VerificationService, 'verifyCode'>;
  recoveryWaits: Pick<RecoveryWaitService, 'findOwn' | 'start'>;
  secondFactorWays: (accountId: string, rpId: string) => Promise<SecondFactorWay[]>;
}

interface VerifyRecoveryInput extends Caller {
  /** The brand whose passkeys may pass a second factor here. */
  brand: Brand;
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

interface StartWaitInput {
  ticket: string;
  browserId: string;
  brand: MessageBrand & { id: string };
  facts?: RequestFacts | undefined;
}

/** What a right code to recover answers. There is nothing to review before a second factor that is due. */
interface StartedRecovery extends Ticket, Partial<RecoveryReview> {
  /** What the new password takes besides; absent where it takes nothing. */
  secondFactor?: SecondFactorWay[];
  /** The recovery that waits, begun with this identifier. */
  wait?: { dueAt: string };
}

/** A new password for a person who proves to own an identifier of the account. */
export interface RecoveryService {
  /**
   * Exchanges a right code for a ticket, and answers what will stay connected and what else signs in.
   * @throws AppError code_incorrect (also where there is no account), code_expired, code_exhausted,
   *   account_disabled, rate_limited, and those of the identifier
   */
  verify(input: VerifyRecoveryInput): Promise<StartedRecovery>;
  /**
   * What the browser needs to ask for a passkey of the account that the ticket names. The ticket is not spent.
   * @throws AppError ticket_invalid, account_disabled, rate_limited
   */
  passkeyOptions(input: Caller & { ticket: string; brand: Brand }): Promise<PasskeyRequestOptions>;
  /**
   * Proves the second factor of the account that the ticket names, and answers what the new password may remove. The
   * ticket is not spent, and takes no factor from then on: asked again, it answers the same.
   * @throws AppError ticket_invalid, account_disabled, totp_incorrect, recovery_code_incorrect, passkey_rejected,
   *   challenge_expired, rate_limited; not_found where the account has no second factor
   */
  proveFactor(input: ProveFactorInput): Promise<RecoveryReview>;
  /**
   * Sets the password of the account that the ticket names, ends all of its sessions and sends notices to its
   * contacts; other browsers forget it. Identifiers that are dropped go with it, or after 72 hours where they were
   * bound before the proven one; changes that waited are void. The ticket is spent on success only. An account with a
   * second factor asks for it, unless `proveFactor` had it or a wait with the same identifier is due: then the factor is off.
   * @throws AppError ticket_invalid, account_disabled, password_*, second_factor_required, totp_incorrect,
   *   recovery_code_incorrect, busy, rate_limited; invalid_request where the proven identifier is to be dropped
   */
  setPassword(input: RecoverPasswordInput): Promise<void>;
  /**
   * Begins to wait, for a person who has lost every second factor; a wait that was begun goes on. The ticket is not
   * spent.
   * @throws AppError ticket_invalid, account_disabled, rate_limited; not_found where the account has no second factor
   */
  startWait(input: StartWaitInput): Promise<{ dueAt: Date }>;
}

export const createRecoveryService = (options: RecoveryOptions): RecoveryService => {
  const { db, verification, passkeyProofs, recoveryWaits, secondFactors, secondFactorWays } = options;
  const { events, now } = options;
  const refusing = emitRefusal(events, 'recovery.refused');

  const describeFactor = async (
    { account: { id }, proven }: ProvenOwner,
    rpId: string,
  ): Promise<Pick<StartedRecovery, 'secondFactor' | 'wait'>> => {
    if (!(await secondFactors.find(id))) return {};
    const dueAt = await recoveryWaits.findOwn(db, proven);
    const isOver = dueAt !== undefined && dueAt <= now();
    return {
      ...(!isOver && { secondFactor: await secondFactorWays(id, rpId) }),
      ...(dueAt && { wait: { dueAt: dueAt.toISOString() } }),
    };
  };

  const describeOwner = async (typed: string, ticket: Ticket, brand: Brand): Promise<StartedRecovery> => {
    const identifier = parseIdentifier(typed);
    const account = await findAccountByIdentifier(db, identifier);
    if (account?.status === 'disabled') throw new AppError('account_disabled');
    const [record] = await listAccounts(db, account ? [account.id] : []);
    const proven = record?.identifiers.find(({ value }) => value === identifier.value);
    if (!record || !proven) return { ...ticket, ...emptyReview };
    const owner = { ...record, proven };
    events.emit('recovery.started', { accountId: owner.account.id, kind: identifier.kind });
    const factor = await describeFactor(owner, brand.rpId);
    // A mailbox alone shows nothing of an account whose factor is due: its person sees the rest after it.
    if (factor.secondFactor) return { ...ticket, ...factor };
    const review = await reviewOf(options, owner, brand, factor.wait ? 'waited' : []);
    return { ...ticket, ...review, ...factor };
  };

  const startWait = async ({ ticket, browserId, ...asked }: StartWaitInput): Promise<{ dueAt: Date }> => {
    const proof = await readTicket(db, { ticket, purpose: 'recover', browserId }, now());
    const { id: accountId } = (await requireOwner(db, proof)).account;
    const { dueAt, notices, started } = await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      const owner = await requireOwner(trx, proof);
      if (!(await findActiveSince(trx, accountId))) throw new AppError('not_found');
      return recoveryWaits.start(trx, owner, asked);
    });
    if (started) events.emit('recovery.wait_started', { accountId, kind: proof.identifier.kind });
    await Promise.all(notices.map((notice) => notice.start()));
    return { dueAt };
  };

  return {
    verify: (input) =>
      refusing({}, async () => {
        const ticket = await verification.verifyCode({ ...input, purpose: 'recover' });
        return keepingTicket(ticket.ticket, () => describeOwner(input.identifier, ticket, input.brand));
      }),
    passkeyOptions: async ({ ticket, browserId, address, brand }) => {
      const proof = await readTicket(db, { ticket, purpose: 'recover', browserId }, now());
      const { account } = await requireOwner(db, proof);
      const use = { purpose: 'recovery' as const, accountId: account.id, browserId, address, brand };
      return passkeyProofs.requestOptions(use);
    },
    proveFactor: (input) => refusing({}, () => proveRecoveryFactor(options, input)),
    setPassword: (input) => refusing({}, () => recoverPassword(options, input)),
    startWait: (input) => refusing({}, () => startWait(input)),
  };
};
