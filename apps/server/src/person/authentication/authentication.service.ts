import type { ErrorCode } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import { AppError } from '../../ground/errors.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import type { RefusedSignIns } from '../activity/refused-sign-ins.ts';
import { keepingTicket } from '../verification/ticket.service.ts';
import { type CodeSignInOptions, signInByCode } from './code-sign-in.ts';
import { type PasswordSignInOptions, signInByPassword } from './password-sign-in.ts';
import { type RegisterInput, type RegistrationOptions, registerByCode } from './registration.ts';
import type { Authenticated, TicketProofInput } from './ticket-proof.ts';

/** Exactly one of password, code and ticket. */
interface SignInInput extends TicketProofInput {
  password?: string | undefined;
  /** Where the person signs in, for the events. */
  brand?: Pick<Brand, 'id'> | undefined;
  clientId?: string | undefined;
  /** The browser, for what its person sees of a refusal. */
  facts?: RequestFacts | undefined;
  /** Whether the account of a right proof is asked for its second factor. It may refuse the sign-in. */
  isFactorDue(proven: Authenticated): Promise<boolean>;
}

/** A right first proof. */
interface FirstProof extends Authenticated {
  /** The second factor comes next: nobody is signed in yet. */
  factorDue: boolean;
}

/** Who a person is. A refusal after a right code carries a ticket, which stands for the code from then on. */
export interface AuthenticationService {
  /**
   * @throws AppError invalid_credentials, account_not_found, account_disabled, code_incorrect, code_expired,
   *   code_exhausted, ticket_invalid, step_up_required (with a code instead of the password), rate_limited,
   *   busy, and those of the identifier
   */
  signIn(input: SignInInput): Promise<FirstProof>;
  /**
   * @throws AppError identifier_taken, agreements_required, password_*, code_incorrect, code_expired,
   *   code_exhausted, ticket_invalid, rate_limited, busy, and those of the identifier
   */
  register(input: RegisterInput): Promise<Authenticated>;
}

export interface AuthenticationOptions extends PasswordSignInOptions, CodeSignInOptions, RegistrationOptions {
  events: EventSink;
  refusedSignIns: Pick<RefusedSignIns, 'note'>;
}

const methodOf = ({ password, ticket }: SignInInput) => {
  if (password !== undefined) return 'password';
  return ticket === undefined ? 'code' : 'ticket';
};

/** @param said the fields of the event; they get the account as soon as it is known, also where it is refused */
const signInByProof = async (
  options: AuthenticationOptions,
  input: SignInInput,
  said: EventFields,
): Promise<Authenticated> => {
  const { password, browserId, address } = input;
  const identifier = parseIdentifier(input.identifier);
  if (password === undefined) return signInByCode(options, input, identifier);
  const { accountId, epoch, hasFactor } = await signInByPassword(options, {
    identifier,
    password,
    browserId,
    address,
    onAccount: (id) => {
      said.accountId = id;
    },
  });
  return { accountId, epoch, hasFactor };
};

/** Refusals of a proof that was compared; others say nothing about who tried. */
const guesses: readonly ErrorCode[] = ['invalid_credentials', 'code_incorrect'];

export const createAuthenticationService = (options: AuthenticationOptions): AuthenticationService => {
  const { events, refusedSignIns } = options;

  /** Notes a wrong password or code, whether or not there is an account: to note takes no time. */
  const noteRefusal = ({ identifier, password, brand, facts }: SignInInput, error: unknown) => {
    if (!(error instanceof AppError) || !guesses.includes(error.code)) return;
    refusedSignIns.note({
      who: parseIdentifier(identifier),
      method: password === undefined ? 'code' : 'password',
      brand: brand?.id,
      facts,
    });
  };

  return {
    signIn: async (input) => {
      const said: EventFields = {
        method: methodOf(input),
        brand: input.brand?.id,
        clientId: input.clientId,
      };
      const refusing = emitRefusal(events, 'sign_in.refused');
      const found = await refusing(said, () => signInByProof(options, input, said)).catch((error) => {
        noteRefusal(input, error);
        throw error;
      });
      const { accountId, ticket } = found;
      said.accountId = accountId;
      const factorDue = await refusing(said, () => keepingTicket(ticket, () => input.isFactorDue(found)));
      events.emit(factorDue ? 'second_factor.asked' : 'sign_in.succeeded', { ...said, accountId });
      return { ...found, factorDue };
    },

    register: async (input) => {
      const method = input.ticket === undefined ? 'code' : 'ticket';
      const said: EventFields = { method, brand: input.brand.id, clientId: input.clientId };
      const refusing = emitRefusal(events, 'account.register_refused');
      const made = await refusing(said, () => registerByCode(options, input));
      events.emit('account.registered', { ...said, accountId: made.accountId });
      return made;
    },
  };
};
