/** The lease of work that one process at a time does; after `expires_at` another process may take it. */
export interface LeaseTable {
  name: string;
  holder: string;
  expires_at: Date;
}

declare module '../db/database.ts' {
  interface Database {
    lease: LeaseTable;
  }
}
