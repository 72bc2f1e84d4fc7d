import type { Selectable } from 'kysely';

/** Who a browser remembers. */
export interface DeviceAccountTable {
  device_hash: string;
  account_id: string;
  last_used_at: Date;
}

export type DeviceAccountRow = Selectable<DeviceAccountTable>;
