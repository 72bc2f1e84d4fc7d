import type { ColumnType } from 'kysely';

/** A recovery code of a second factor. */
export interface RecoveryCodeTable {
  account_id: string;
  /** A keyed hash of account and code: a dump of the database passes no factor. */
  code_hash: string;
  used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    recovery_code: RecoveryCodeTable;
  }
}
