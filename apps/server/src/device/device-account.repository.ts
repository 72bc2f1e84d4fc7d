import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { type DeviceAccountRow, deviceAccountColumns } from './device-account.table.ts';

export const upsertDeviceAccount = async (db: Kysely<Database>, row: DeviceAccountRow): Promise<void> => {
  await db
    .insertInto('device_account')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['device_hash', 'account_id']).doUpdateSet({ last_used_at: row.last_used_at }),
    )
    .execute();
};

/** The newest first. */
export const listDeviceAccounts = async (
  db: Kysely<Database>,
  deviceHash: string,
  limit: number,
): Promise<DeviceAccountRow[]> =>
  db
    .selectFrom('device_account')
    .select(deviceAccountColumns)
    .where('device_hash', '=', deviceHash)
    .orderBy('last_used_at', 'desc')
    .orderBy('account_id')
    .limit(limit)
    .execute();

export const deleteDeviceAccount = async (
  db: Kysely<Database>,
  deviceHash: string,
  accountId: string,
): Promise<void> => {
  await db
    .deleteFrom('device_account')
    .where('device_hash', '=', deviceHash)
    .where('account_id', '=', accountId)
    .execute();
};
