import type { Generated, Selectable } from 'kysely';

/** What staff keep for whoever answers next. */
export interface AccountNoteTable {
  id: string;
  account_id: string;
  /** The nickname of whoever wrote it. */
  written_by: string;
  text: string;
  created_at: Generated<Date>;
}

export type AccountNoteRow = Selectable<AccountNoteTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    account_note: AccountNoteTable;
  }
}
