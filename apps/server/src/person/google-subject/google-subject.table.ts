import type { Generated } from 'kysely';

/** The account that was made for a person of Google, at the client by which Google asked for it. */
export interface GoogleSubjectTable {
  client_id: string;
  /** The `sub` of Google's ID tokens. */
  subject: string;
  account_id: string;
  created_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    google_subject: GoogleSubjectTable;
  }
}
