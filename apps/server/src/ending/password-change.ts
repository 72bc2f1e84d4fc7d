import type { Kysely } from 'kysely';
import { updateSessionEpoch } from '../account/account.repository.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import { upsertPassword } from '../credential/password.repository.ts';
import type { Database } from '../db/database.ts';
import { deleteDeviceAccountsOf } from '../device/device-account.repository.ts';
import { deleteGrants } from '../grant/grant.repository.ts';
import { deleteRememberedConsents } from '../grant/remembered-consent.repository.ts';
import { hashToken } from '../opaque-token.ts';
import { lockSessions, type SessionChoice } from '../session/session.repository.ts';
import { endSessionsOf } from '../session/session.service.ts';
import { voidProofs } from '../verification/ticket.service.ts';

export interface PasswordChange {
  accountId: string;
  /** All of the account's: what was proven of them with the old password goes. */
  identifiers: readonly Pick<AccountIdentifierRow, 'value'>[];
  /** Of the new password, made before the transaction. */
  hash: string;
  /** The sessions that end; all of them where it is left out. */
  sessions?: SessionChoice;
  withdrawAuthorizations: boolean;
  /** The value of the pre-session cookie of the browser that may go on naming the account. */
  device: string | undefined;
  now: Date;
}

/**
 * Sets a password and ends what the old one may have opened ("What ends what" of the design), in the
 * transaction of the caller. The account is locked first and its sessions next, as a sign-in does: of a
 * sign-in that runs beside it, either the session is found here, or none is made. Answers how many sessions ended.
 */
export const changePassword = async (
  trx: Kysely<Database>,
  { accountId, identifiers, hash, sessions = {}, withdrawAuthorizations, device, now }: PasswordChange,
): Promise<{ ended: number }> => {
  await updateSessionEpoch(trx, accountId);
  await upsertPassword(trx, { account_id: accountId, hash, changed_at: now });
  await voidProofs(
    trx,
    identifiers.map(({ value }) => value),
  );
  // Before any grant is touched: an approval that is being made is waited for, and then found.
  await lockSessions(trx, accountId, sessions);
  if (withdrawAuthorizations) {
    await deleteGrants(trx, accountId);
    await deleteRememberedConsents(trx, accountId);
  }
  await deleteDeviceAccountsOf(trx, accountId, device && hashToken(device));
  const ended = await endSessionsOf(trx, accountId, sessions);
  return { ended: ended.length };
};
