import type { Selectable } from 'kysely';

/** Who a browser remembers. */
export interface DeviceAccountTable {
  device_hash: string;
  account_id: string;
  last_used_at: Date;
}

export type DeviceAccountRow = Selectable<DeviceAccountTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const deviceAccountColumns = [
  'device_hash',
  'account_id',
  'last_used_at',
] as const satisfies readonly (keyof DeviceAccountRow)[];
