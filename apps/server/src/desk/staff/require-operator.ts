import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { lockStaffRole } from './staff.repository.ts';

/**
 * The role may have been taken away since the request began; from here on nobody takes it until the transaction ends.
 * @throws AppError role_insufficient
 */
export const requireOperatorStill = async (trx: Kysely<Database>, accountId: string): Promise<void> => {
  if ((await lockStaffRole(trx, accountId)) !== 'operator') throw new AppError('role_insufficient');
};
