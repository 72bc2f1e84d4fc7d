import type { Generated, Selectable } from 'kysely';

/** A removal of a second factor at once, which waits for a second operator. */
export interface DeskApprovalTable {
  id: string;
  account_id: string;
  /** The account of the operator who asks. */
  asked_by: string;
  reason: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

export type DeskApprovalRow = Selectable<DeskApprovalTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    desk_approval: DeskApprovalTable;
  }
}
