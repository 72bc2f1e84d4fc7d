import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { findAccountByIdentifier } from '../account/account.repository.ts';
import type { AccountRow } from '../account/account.table.ts';
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
): Promise<AccountRow> => {
  const account = await findAccountByIdentifier(db, use.identifier);
  if (!account) throw new AppError('account_not_found');
  if (account.status === 'disabled') throw new AppError('account_disabled');
  const opened = { accountId: account.id, epoch: account.session_epoch, way: 'login' as const, interaction };
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
    const { id, session_epoch } = await spendTicketForAccount(options, use, input.interaction);
    const { browserId, address } = input;
    await options.passwordLimits.clear({ identifier: identifier.value, accountId: id, browserId, address });
    return { accountId: id, epoch: session_epoch, ticket };
  });
};
