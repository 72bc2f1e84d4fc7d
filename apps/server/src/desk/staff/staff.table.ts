import type { StaffRole } from '@candela/contract';
import type { Generated, Selectable } from 'kysely';

/** An account that answers the phone, and what it may do at the desk. */
export interface StaffTable {
  account_id: string;
  role: StaffRole;
  allowed_at: Generated<Date>;
}

export type StaffRow = Selectable<StaffTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    staff: StaffTable;
  }
}
