import type { LinkToReview, OtherIdentifier, PasskeyRequestOptions } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { findAccountByIdentifier, listAccounts } from '../account/account.repository.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import type { Brand } from '../brand/brand.ts';
import type { Caller } from '../browser/caller.ts';
import { AppError } from '../errors.ts';
import { emitRefusal } from '../event/emit-refusal.ts';
import type { GrantService } from '../grant/grant.service.ts';
import { type Identifier, parseIdentifier } from '../identifier/identifier.ts';
import type { PasskeyProofs } from '../passkey/passkey-assertion.ts';
import { keepingTicket, readTicket, type Ticket } from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import {
  type PasswordRecoveryOptions,
  type RecoverPasswordInput,
  recoverPassword,
} from './password-recovery.ts';
import { othersThan, outranks, requireOwner } from './proven-owner.ts';

export interface RecoveryOptions extends PasswordRecoveryOptions {
  verification: Pick<VerificationService, 'verifyCode'>;
  passkeyProofs: Pick<PasskeyProofs, 'requestOptions'>;
  grants: Pick<GrantService, 'listLinks'>;
}

interface VerifyRecoveryInput extends Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

/** What a right code to recover answers. */
interface StartedRecovery extends Ticket {
  /** What stays connected, for the person to review. */
  authorizations: LinkToReview[];
  /** What else signs in, newest first. */
  identifiers: OtherIdentifier[];
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
   * Sets the password of the account that the ticket names, ends all of its sessions and sends notices to its
   * contacts; other browsers forget it. Identifiers that are dropped go with it, or after 72 hours where they were
   * bound before the proven one; changes that waited are void. The ticket is spent on success only.
   * @throws AppError ticket_invalid, account_disabled, password_*, busy, rate_limited; invalid_request where the
   *   proven identifier is to be dropped
   */
  setPassword(input: RecoverPasswordInput): Promise<void>;
}

const describeOthers = (
  { value }: Identifier,
  identifiers: readonly AccountIdentifierRow[],
): OtherIdentifier[] => {
  const proven = identifiers.find((row) => row.value === value);
  if (!proven) return [];
  return othersThan(proven, identifiers).map((row) => ({
    kind: row.kind,
    masked: maskIdentifier(row.value),
    boundAt: row.verified_at.toISOString(),
    ...(outranks(row, proven) && { waits: true }),
  }));
};

export const createRecoveryService = (options: RecoveryOptions): RecoveryService => {
  const { db, verification, grants, passkeyProofs, events, now } = options;
  const refusing = emitRefusal(events, 'recovery.refused');

  const describeOwner = async (typed: string, ticket: Ticket): Promise<StartedRecovery> => {
    const identifier = parseIdentifier(typed);
    const account = await findAccountByIdentifier(db, identifier);
    if (account?.status === 'disabled') throw new AppError('account_disabled');
    const [owner] = await listAccounts(db, account ? [account.id] : []);
    if (!owner) return { ...ticket, authorizations: [], identifiers: [] };
    const accountId = owner.account.id;
    const authorizations = await grants.listLinks(accountId);
    events.emit('recovery.started', { accountId, kind: identifier.kind });
    return { ...ticket, authorizations, identifiers: describeOthers(identifier, owner.identifiers) };
  };

  return {
    verify: (input) =>
      refusing({}, async () => {
        const ticket = await verification.verifyCode({ ...input, purpose: 'recover' });
        return keepingTicket(ticket.ticket, () => describeOwner(input.identifier, ticket));
      }),
    passkeyOptions: async ({ ticket, browserId, address, brand }) => {
      const proof = await readTicket(db, { ticket, purpose: 'recover', browserId }, now());
      const { account } = await requireOwner(db, proof);
      const use = { purpose: 'recovery' as const, accountId: account.id, browserId, address, brand };
      return passkeyProofs.requestOptions(use);
    },
    setPassword: (input) => refusing({}, () => recoverPassword(options, input)),
  };
};
