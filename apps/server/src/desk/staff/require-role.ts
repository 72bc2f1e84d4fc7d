import { mayAs, type StaffRole } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { lockStaffRole } from './staff.repository.ts';

/**
 * The role may have been taken away since the request began; from here on nobody takes it until the transaction ends.
 * An account is locked before this.
 * @throws AppError not_found where it is no staff any more, role_insufficient
 */
export const requireRoleStill = async (
  trx: Kysely<Database>,
  accountId: string,
  least: StaffRole,
): Promise<void> => {
  const role = await lockStaffRole(trx, accountId);
  if (!role) throw new AppError('not_found');
  if (!mayAs(role, least)) throw new AppError('role_insufficient');
};
