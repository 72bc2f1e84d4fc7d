import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { PendingSignInRow } from './pending-sign-in.table.ts';
import type { PassedFactor } from './pending-sign-in.ts';

const columns = [
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
] as const satisfies readonly (keyof PendingSignInRow)[];

export type PendingKey = Pick<PendingSignInRow, 'brand' | 'interaction_hash' | 'device_hash'>;

/** It replaces the one that waits in the same interaction: a person may begin as somebody else. */
export const upsertPendingSignIn = async (
  db: Kysely<Database>,
  { amr, ...row }: Omit<PendingSignInRow, 'passed_by'>,
): Promise<void> => {
  const { brand, interaction_hash, ...rest } = { ...row, amr: JSON.stringify(amr), passed_by: null };
  await db
    .insertInto('pending_sign_in')
    .values({ brand, interaction_hash, ...rest })
    .onConflict((conflict) => conflict.columns(['brand', 'interaction_hash']).doUpdateSet(rest))
    .execute();
};

export const findPendingSignIn = (
  db: Kysely<Database>,
  { brand, interaction_hash, device_hash }: PendingKey,
  at: Date,
): Promise<PendingSignInRow | undefined> =>
  db
    .selectFrom('pending_sign_in')
    .select(columns)
    .where('brand', '=', brand)
    .where('interaction_hash', '=', interaction_hash)
    .where('device_hash', '=', device_hash)
    .where('expires_at', '>', at)
    .executeTakeFirst();

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

export const deletePendingSignIn = async (
  db: Kysely<Database>,
  { brand, interaction_hash }: Omit<PendingKey, 'device_hash'>,
): Promise<void> => {
  await db
    .deleteFrom('pending_sign_in')
    .where('brand', '=', brand)
    .where('interaction_hash', '=', interaction_hash)
    .execute();
};
