import type { Selectable } from 'kysely';

/** A contact that a member of staff may read for a while: the caller told it, or there was a reason. */
export interface ShownContactTable {
  account_id: string;
  staff_id: string;
  /** Canonical. */
  value: string;
  expires_at: Date;
}

export type ShownContactRow = Selectable<ShownContactTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    shown_contact: ShownContactTable;
  }
}
