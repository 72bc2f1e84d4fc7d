import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { tell } from '../signal/tell.ts';
import { credentialChange } from '../signal/told.ts';
import { deletePassword } from './password.repository.ts';

/**
 * Closes the password that somebody else may know: it signs nobody in. A new one is set by a code, or by a recovery.
 */
export const closePassword = async (trx: Kysely<Database>, accountId: string): Promise<void> => {
  if (await deletePassword(trx, accountId))
    await tell(trx, accountId, [credentialChange('password', 'revoke')]);
};
