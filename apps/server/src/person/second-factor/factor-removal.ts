import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { additionRows } from '../addition/addition.repository.ts';
import { endWaits } from '../recovery-wait/ended-waits.ts';
import { trustedBrowserRows } from '../trusted-browser/trusted-browser.repository.ts';
import { deleteRecoveryCodes } from './recovery-code.repository.ts';
import { deleteTotp } from './totp.repository.ts';

/**
 * Takes the second factor from an account, with its recovery codes, the browsers that it trusted and the recoveries that
 * wait because of it, in a transaction that has locked the account. False where none was on.
 */
export const removeFactor = async (trx: Kysely<Database>, accountId: string): Promise<boolean> => {
  const wasOn = await deleteTotp(trx, accountId);
  await deleteRecoveryCodes(trx, accountId);
  await trustedBrowserRows.endOf(trx, accountId);
  // Their links would take back what is gone.
  await additionRows.endOf(trx, accountId, { kind: ['totp', 'recovery_codes'] });
  await endWaits(trx, accountId);
  return wasOn;
};
