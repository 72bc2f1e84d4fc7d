import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import { findAccountByIdentifier, insertAccount, insertIdentifier } from '../account/account.repository.ts';
import { createNickname } from '../account/account.service.ts';
import type { AccountRow } from '../account/account.table.ts';
import { createAccountId } from '../account/account.ts';
import {
  type AcceptedAgreement,
  recordAgreements,
  requireAgreements,
} from '../agreement/agreement.service.ts';
import type { Brand } from '../brand/brand.ts';
import { findPassword, insertPassword } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasswordPolicy } from '../credential/password-policy.ts';
import type { Database } from '../db/database.ts';
import { isOutage } from '../db/outage.ts';
import { transact } from '../db/transact.ts';
import { AppError } from '../errors.ts';
import { emitRefusal } from '../event/emit-refusal.ts';
import type { EventFields, EventSink } from '../event/events.ts';
import { type Identifier, parseIdentifier } from '../identifier/identifier.ts';
import { neighbourhoodOf } from '../rate-limit/address-key.ts';
import {
  findOpened,
  isTicketGood,
  keepingTicket,
  spendTicket,
  type TicketUse,
  ticketInvalid,
} from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import type { PasswordLimits } from './password-limits.ts';
import { findByPassword } from './password-sign-in.ts';
import type { UnknownAccount } from './unknown-account.ts';

export interface AuthenticationOptions {
  db: Kysely<Database>;
  verification: VerificationService;
  hasher: PasswordHasher;
  passwordPolicy: PasswordPolicy;
  passwordLimits: PasswordLimits;
  unknownAccount: UnknownAccount;
  events: EventSink;
  now: () => Date;
}

interface Caller {
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
}

/** The identifier as typed, and exactly one of password, code and ticket. */
interface SignInInput extends Caller {
  identifier: string;
  password?: string | undefined;
  code?: string | undefined;
  ticket?: string | undefined;
  /** The interaction that this is to finish: there a ticket sent once more opens what it has opened. */
  interaction?: string | undefined;
  /** Where the person signs in, for the events. */
  brand?: Pick<Brand, 'id'> | undefined;
  clientId?: string | undefined;
}

/** The identifier as typed, and exactly one of code and ticket. */
export interface RegisterInput extends Caller {
  identifier: string;
  code?: string | undefined;
  ticket?: string | undefined;
  /** As of a sign-in. */
  interaction?: string | undefined;
  password: string;
  agreements: readonly AcceptedAgreement[];
  locale: Locale;
  brand: Pick<Brand, 'id' | 'legal'>;
  clientId?: string | undefined;
}

/** Who a person is, and as of when. */
interface Authenticated {
  accountId: string;
  /** The account's session epoch before the proof was checked: with another one by now there is no session to make. */
  epoch: number;
  /** What a code or ticket of theirs stands as, until the interaction is finished. */
  ticket?: string;
}

interface Proof {
  use: TicketUse;
  /** What it has opened before, in the same interaction. */
  opened?: Authenticated;
}

/** Who a person is. A refusal after a right code carries a ticket, which stands for the code from then on. */
export interface AuthenticationService {
  /**
   * @throws AppError invalid_credentials, account_not_found, account_disabled, code_incorrect, code_expired,
   *   code_exhausted, ticket_invalid, step_up_required (with a code instead of the password), rate_limited,
   *   busy, and those of the identifier
   */
  signIn(input: SignInInput): Promise<Authenticated>;
  /**
   * @throws AppError identifier_taken, agreements_required, password_*, code_incorrect, code_expired,
   *   code_exhausted, ticket_invalid, rate_limited, busy, and those of the identifier
   */
  register(input: RegisterInput): Promise<Authenticated>;
}

const methodOf = ({ password, ticket }: SignInInput) => {
  if (password !== undefined) return 'password';
  return ticket === undefined ? 'code' : 'ticket';
};

export const createAuthenticationService = (options: AuthenticationOptions): AuthenticationService => {
  const { db, verification, hasher, passwordPolicy, passwordLimits, events, now } = options;

  /** A right code becomes a ticket at once; from there both ways are one. */
  const prove = async (
    input: Pick<SignInInput, 'identifier' | 'code' | 'ticket' | 'interaction'> & Caller,
    purpose: 'login' | 'register',
    identifier: Identifier,
  ): Promise<Proof> => {
    const { code, device, address, interaction } = input;
    const toUse = (ticket: string): TicketUse => ({
      ticket,
      purposes: ['login', 'register'],
      identifier,
      device,
    });
    if (input.ticket !== undefined) {
      const use = toUse(input.ticket);
      return keepingTicket(use.ticket, async () => {
        if (await isTicketGood(db, use, now())) return { use };
        const opened = interaction && (await findOpened(db, use, interaction, now()));
        if (!opened) throw ticketInvalid();
        return { use, opened };
      });
    }
    if (code === undefined) throw new AppError('invalid_request');
    const { ticket } = await verification.verifyCode({
      identifier: input.identifier,
      code,
      purpose,
      device,
      address,
    });
    return { use: toUse(ticket) };
  };

  const handingBack = async <T>(use: TicketUse, work: () => Promise<T>): Promise<T> => {
    try {
      return await keepingTicket(use.ticket, work);
    } catch (error) {
      if (!(error instanceof AppError) || error.details.ticket !== undefined) throw error;
      // Whoever cannot find out hands it back: it opens nothing where it was spent.
      if (!(await isTicketGood(db, use, now()).catch(isOutage))) throw error;
      throw new AppError(error.code, { ...error.details, ticket: use.ticket, cause: error });
    }
  };

  const findByTicket = async (use: TicketUse, interaction: string | undefined): Promise<AccountRow> => {
    const account = await findAccountByIdentifier(db, use.identifier);
    if (!account) throw new AppError('account_not_found');
    if (account.status === 'disabled') throw new AppError('account_disabled');
    const opened = { accountId: account.id, epoch: account.session_epoch, interaction };
    await spendTicket(db, use, now(), opened);
    return account;
  };

  const findByCode = async (input: SignInInput, identifier: Identifier): Promise<Authenticated> => {
    const { use, opened } = await prove(input, 'login', identifier);
    const { ticket } = use;
    if (opened) return { ...opened, ticket };
    return handingBack(use, async () => {
      const { id, session_epoch } = await findByTicket(use, input.interaction);
      const { device, address } = input;
      await passwordLimits.clear({ identifier: identifier.value, accountId: id, device, address });
      return { accountId: id, epoch: session_epoch, ticket };
    });
  };

  const findSigningIn = async (input: SignInInput, said: EventFields): Promise<Authenticated> => {
    const { password, device, address } = input;
    const identifier = parseIdentifier(input.identifier);
    if (password === undefined) return findByCode(input, identifier);
    const onAccount = (accountId: string | undefined) => {
      said.accountId = accountId;
    };
    const { accountId, epoch } = await findByPassword(options, {
      identifier,
      password,
      device,
      address,
      onAccount,
    });
    return { accountId, epoch };
  };

  const signIn: AuthenticationService['signIn'] = async (input) => {
    const said: EventFields = { method: methodOf(input), brand: input.brand?.id, clientId: input.clientId };
    const found = await emitRefusal(events, 'sign_in.refused')(said, () => findSigningIn(input, said));
    events.emit('sign_in.succeeded', { ...said, accountId: found.accountId });
    return found;
  };

  const createAccount = async (
    { locale, brand, interaction }: RegisterInput,
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
      // Waits for another registration of the same identifier to end; of two, one is taken.
      if (!(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
      await insertPassword(trx, { account_id: id, hash, changed_at: at });
      await recordAgreements(trx, { accountId: id, agreements, locale, brand: brand.id, now: at });
      await spendTicket(trx, use, at, { accountId: id, epoch: 0, interaction });
    });
    return id;
  };

  /** Registered already, by the same ticket: nobody else is told so, and nobody signs in by another password. */
  const requireOwnPassword = async ({ password, address }: RegisterInput, accountId: string) => {
    const hash = (await findPassword(db, accountId))?.hash;
    if (await hasher.verify(hash, password, neighbourhoodOf(address))) return accountId;
    throw new AppError('identifier_taken');
  };

  const registerAnew = async (input: RegisterInput): Promise<Authenticated> => {
    const identifier = parseIdentifier(input.identifier);
    const { use, opened } = await prove(input, 'register', identifier);
    const accountId = await handingBack(use, async () => {
      if (opened) return requireOwnPassword(input, opened.accountId);
      if (await findAccountByIdentifier(db, identifier)) throw new AppError('identifier_taken');
      const agreements = requireAgreements(input.agreements, input.locale, input.brand);
      passwordPolicy.check(input.password, [identifier]);
      const hash = await hasher.hash(input.password, neighbourhoodOf(input.address));
      return createAccount(input, { use, hash, agreements });
    });
    return { accountId, epoch: 0, ticket: use.ticket };
  };

  const register: AuthenticationService['register'] = async (input) => {
    const method = input.ticket === undefined ? 'code' : 'ticket';
    const said: EventFields = { method, brand: input.brand.id, clientId: input.clientId };
    const made = await emitRefusal(events, 'account.register_refused')(said, () => registerAnew(input));
    events.emit('account.registered', { ...said, accountId: made.accountId });
    return made;
  };

  return { signIn, register };
};
