import type { RecordAction, StaffRole } from '@candela/contract';
import type { Selectable } from 'kysely';

/** What somebody looked at or did. Rows are added, and neither changed nor deleted: a trigger refuses it. */
export interface StaffRecordTable {
  /** 1 for the first, and one more for each that follows. */
  entry: number;
  at: Date;
  actor_kind: 'staff' | 'command';
  /** The account of staff. */
  actor_account: string | null;
  actor_name: string;
  actor_role: StaffRole | null;
  action: RecordAction;
  account_id: string | null;
  subject: string | null;
  reason: string | null;
  /** An address, or the host of a command. */
  origin: string;
  outcome: 'done' | 'refused' | 'right' | 'wrong' | 'found' | 'nothing';
  previous_hash: string;
  hash: string;
}

export type StaffRecordRow = Selectable<StaffRecordTable>;

/** The last entry. Its one row is the lock under which entries follow each other. */
interface StaffRecordHeadTable {
  id: string;
  entry: number;
  hash: string;
}

/** Every column, for statements to name: docs/decisions/027-columns-by-name.md. */
export const staffRecordColumns = [
  'entry',
  'at',
  'actor_kind',
  'actor_account',
  'actor_name',
  'actor_role',
  'action',
  'account_id',
  'subject',
  'reason',
  'origin',
  'outcome',
  'previous_hash',
  'hash',
] as const satisfies readonly (keyof StaffRecordRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    staff_record: StaffRecordTable;
    staff_record_head: StaffRecordHeadTable;
  }
}
