import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { spendTicket, type TicketUse } from '../verification/ticket.service.ts';
import type { PasswordLimits } from './password-limits.ts';
import {
  type Authenticated,
  handingBack,
  proveByTicket,
  type TicketProofInput,
  type TicketProofOptions,
} from './ticket-proof.ts';

export interface CodeSignInOptions extends TicketProofOptions {
  passwordLimits: PasswordLimits;
}

/** Spends the ticket where its identifier has an account that may be used. */
const spendTicketForAccount = async (
  { db, now }: CodeSignInOptions,
  use: TicketUse,
  interaction: string | undefined,
): Promise<Credentials> => {
  const account = await findCredentials(db, use.identifier, hashToken(use.browserId));
  if (!account) throw new AppError('account_not_found');
  if (account.status === 'disabled') throw new AppError('account_disabled');
  const { accountId, epoch } = account;
  const opened = { accountId, epoch, way: 'login' as const, interaction };
  await spendTicket(db, use, now(), opened);
  return account;
};

/**
 * Signs in by a code or its ticket, which is spent, and starts the counts of wrong passwords anew.
 * @throws AppError account_not_found and account_disabled, both with the ticket; ticket_invalid, unavailable, and
 *   what `verifyCode` throws
 */
export const signInByCode = async (
  options: CodeSignInOptions,
  input: TicketProofInput,
  identifier: Identifier,
): Promise<Authenticated> => {
  const { use, opened } = await proveByTicket(options, input, { purpose: 'login', identifier });
  const { ticket } = use;
  if (opened) return { ...opened, ticket };
  return handingBack(options, use, async () => {
    const { accountId, epoch, hasFactor } = await spendTicketForAccount(options, use, input.interaction);
    const { browserId, address } = input;
    await options.passwordLimits.clear({ identifier: identifier.value, accountId, browserId, address });
    return { accountId, epoch, hasFactor, ticket };
  });
};
