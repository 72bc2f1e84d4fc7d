import type { Locale } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { neighbourhoodOf } from '../../ground/rate-limit/address-key.ts';
import { findAccountByIdentifier, insertAccount, insertIdentifier } from '../account/account.repository.ts';
import { createNickname } from '../account/account.service.ts';
import { createAccountId } from '../account/account.ts';
import { noteActivity } from '../activity/note-activity.ts';
import { type AcceptedAgreement, type Agreements, recordAgreements } from '../agreement/agreement.service.ts';
import { findPassword, insertPassword } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasswordPolicy } from '../credential/password-policy.ts';
import { spendTicket, type TicketUse } from '../verification/ticket.service.ts';
import {
  type Authenticated,
  handingBack,
  proveByTicket,
  type TicketProofInput,
  type TicketProofOptions,
} from './ticket-proof.ts';

export interface RegistrationOptions extends TicketProofOptions {
  hasher: PasswordHasher;
  passwordPolicy: PasswordPolicy;
  agreements: Pick<Agreements, 'require'>;
}

export interface RegisterInput extends TicketProofInput {
  password: string;
  agreements: readonly AcceptedAgreement[];
  locale: Locale;
  brand: Pick<Brand, 'id' | 'legal'>;
  /** The app in whose request the account is made, for the events. */
  clientId?: string | undefined;
  facts?: RequestFacts | undefined;
}

/** A new account is of this session epoch. */
const FIRST_EPOCH = 0;

/** Makes the account and spends the ticket, or neither. */
const createAccount = async (
  { db, now }: RegistrationOptions,
  { locale, brand, interaction, clientId, facts }: RegisterInput,
  { use, hash, agreements }: { use: TicketUse; hash: string; agreements: AcceptedAgreement[] },
): Promise<string> => {
  const id = createAccountId();
  const at = now();
  const { kind, value, display } = use.identifier;
  await transact(db, async (trx) => {
    await insertAccount(trx, {
      id,
      nickname: createNickname(locale, id),
      locale,
      status: 'active',
      created_at: at,
      updated_at: at,
    });
    const row = { kind, value, display, account_id: id, verified_at: at };
    // Waits for another registration of the same identifier to end; one of the two finds it taken.
    if (!(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
    await insertPassword(trx, { account_id: id, hash, changed_at: at });
    await recordAgreements(trx, { accountId: id, agreements, locale, brand: brand.id, now: at });
    await noteActivity(trx, { accountId: id, kind: 'registered', brand: brand.id, clientId, facts });
    await spendTicket(trx, use, at, { accountId: id, epoch: FIRST_EPOCH, way: 'register', interaction });
  });
  return id;
};

/**
 * Answers a registration that was sent again, with the ticket that it spent: the password has to be the one that
 * was registered, or the ticket would sign in who sent another password.
 */
const requireOwnPassword = async (
  { db, hasher }: RegistrationOptions,
  { password, address }: RegisterInput,
  accountId: string,
): Promise<string> => {
  const hash = (await findPassword(db, accountId))?.hash;
  if (await hasher.verify(hash, password, neighbourhoodOf(address))) return accountId;
  throw new AppError('identifier_taken');
};

/**
 * Registers an account by a code or its ticket, which is spent.
 * @throws AppError identifier_taken, agreements_required, password_*, busy, all with the ticket; ticket_invalid,
 *   unavailable, what `verifyCode` throws, and those of the identifier
 */
export const registerByCode = async (
  options: RegistrationOptions,
  input: RegisterInput,
): Promise<Authenticated> => {
  const { db, hasher, passwordPolicy } = options;
  const identifier = parseIdentifier(input.identifier);
  const { use, opened } = await proveByTicket(options, input, { purpose: 'register', identifier });
  const accountId = await handingBack(options, use, async () => {
    if (opened) return requireOwnPassword(options, input, opened.accountId);
    if (await findAccountByIdentifier(db, identifier)) throw new AppError('identifier_taken');
    const agreements = options.agreements.require(input.agreements, input.brand);
    passwordPolicy.check(input.password, [identifier]);
    const hash = await hasher.hash(input.password, neighbourhoodOf(input.address));
    return createAccount(options, input, { use, hash, agreements });
  });
  return { accountId, epoch: FIRST_EPOCH, ticket: use.ticket };
};
