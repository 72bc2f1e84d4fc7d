import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { PendingSignInRow } from './pending-sign-in.table.ts';
import type { PassedFactor } from './pending-sign-in.ts';

/** Sign-ins whose second factor is due: one in each interaction, since a person may begin as somebody else. */
export const pendingSignInRows = expiringRows({
  table: 'pending_sign_in',
  columns: [
    'brand',
    'interaction_hash',
    'device_hash',
    'account_id',
    'epoch',
    'amr',
    'proven_by',
    'identifier',
    'passed_by',
    'expires_at',
  ],
  owner: 'interaction_hash',
  endsAt: 'expires_at',
  // As a ticket does, a right password or code stands for itself for so long.
  seconds: 600,
  key: ['brand', 'interaction_hash'],
});

export type PendingKey = Pick<PendingSignInRow, 'brand' | 'interaction_hash' | 'device_hash'>;

/** Notes what passed the factor; false where something did before, or another sign-in took the place of this one. */
export const updatePassed = async (
  db: Kysely<Database>,
  { brand, interaction_hash, device_hash, account_id }: PendingKey & Pick<PendingSignInRow, 'account_id'>,
  passed: PassedFactor,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('pending_sign_in')
    .set({ passed_by: JSON.stringify(passed) })
    .where('brand', '=', brand)
    .where('interaction_hash', '=', interaction_hash)
    .where('device_hash', '=', device_hash)
    .where('account_id', '=', account_id)
    .where('passed_by', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
