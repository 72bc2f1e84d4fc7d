import type { LinkToReview } from '@candela/contract';
import type { Kysely } from 'kysely';
import {
  type AccountRecord,
  findAccountByIdentifier,
  listAccounts,
  lockAccount,
} from '../account/account.repository.ts';
import type { PasswordLimits } from '../authentication/password-limits.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasswordPolicy } from '../credential/password-policy.ts';
import type { Database } from '../db/database.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { AppError } from '../errors.ts';
import type { GrantService } from '../grant/grant.service.ts';
import { type Identifier, parseIdentifier } from '../identifier/identifier.ts';
import { neighbourhoodOf } from '../rate-limit/address-key.ts';
import { readTicket, spendTicket, type Ticket, ticketInvalid } from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import { changePassword } from './password-change.ts';

export interface RecoveryOptions {
  db: Kysely<Database>;
  verification: VerificationService;
  grants: Pick<GrantService, 'listLinks'>;
  hasher: PasswordHasher;
  passwordLimits: PasswordLimits;
  passwordPolicy: PasswordPolicy;
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

interface Caller {
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
}

interface VerifyRecoveryInput extends Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

interface RecoverPasswordInput extends Caller {
  ticket: string;
  password: string;
  withdrawAuthorizations: boolean;
  brand: MessageBrand;
}

/** A new password for who proves to own an identifier of the account. */
export interface RecoveryService {
  /**
   * Exchanges a right code for a ticket, and tells what will stay connected.
   * @throws AppError code_incorrect (also where there is no account), code_expired, code_exhausted,
   *   account_disabled, rate_limited, and those of the identifier
   */
  verify(input: VerifyRecoveryInput): Promise<Ticket & { authorizations: LinkToReview[] }>;
  /**
   * Sets the password of the account that the ticket names, ends all of its sessions and tells its contacts.
   * The ticket is spent on success only.
   * @throws AppError ticket_invalid, account_disabled, password_*, busy
   */
  setPassword(input: RecoverPasswordInput): Promise<void>;
}

interface Proof {
  identifier: Identifier;
  provenAt: Date;
}

/**
 * The account whose identifier was proven.
 * @throws AppError ticket_invalid when the identifier belongs to none, or to another since; account_disabled
 */
const requireOwner = async (
  db: Kysely<Database>,
  { identifier, provenAt }: Proof,
): Promise<AccountRecord> => {
  const account = await findAccountByIdentifier(db, identifier);
  const [owner] = await listAccounts(db, account ? [account.id] : []);
  const proven = owner?.identifiers.find(
    ({ kind, value }) => kind === identifier.kind && value === identifier.value,
  );
  if (!owner || !proven || proven.verified_at > provenAt) throw ticketInvalid();
  if (owner.account.status === 'disabled') throw new AppError('account_disabled');
  return owner;
};

export const createRecoveryService = (options: RecoveryOptions): RecoveryService => {
  const { db, verification, grants, hasher, passwordLimits, passwordPolicy, messages, now } = options;

  const verify: RecoveryService['verify'] = async (input) => {
    const ticket = await verification.verifyCode({ ...input, purpose: 'recover' });
    const account = await findAccountByIdentifier(db, parseIdentifier(input.identifier));
    if (account?.status === 'disabled') throw new AppError('account_disabled');
    return { ...ticket, authorizations: account ? await grants.listLinks(account.id) : [] };
  };

  const setPassword: RecoveryService['setPassword'] = async ({ ticket, password, brand, ...input }) => {
    const { device, address, withdrawAuthorizations } = input;
    const proof = await readTicket(db, { ticket, purpose: 'recover', device }, now());
    passwordPolicy.check(password, (await requireOwner(db, proof)).identifiers);
    const hash = await hasher.hash(password, neighbourhoodOf(address));

    const at = now();
    const { accountId, notices } = await db.transaction().execute(async (trx) => {
      const { identifier } = proof;
      // First of all, as whatever else changes the account and voids its tickets.
      await lockAccount(trx, (await requireOwner(trx, proof)).account.id);
      await spendTicket(trx, { ticket, purposes: ['recover'], identifier, device }, at);
      // Once more: the hash took its time, and the identifier may have gone elsewhere.
      const owner = await requireOwner(trx, proof);
      const { account, identifiers } = owner;
      passwordPolicy.check(password, identifiers);
      await changePassword(trx, {
        accountId: account.id,
        identifiers,
        hash,
        withdrawAuthorizations,
        now: at,
      });
      const notice = { notice: 'password_changed' as const, at, locale: account.locale, brand };
      return { accountId: account.id, notices: await addNotices(trx, messages, identifiers, notice) };
    });

    await passwordLimits.clear({ identifier: proof.identifier.value, accountId, device, address });
    await Promise.all(notices.map((notice) => notice.start()));
  };

  return { verify, setPassword };
};
