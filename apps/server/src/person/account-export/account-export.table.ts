import type { Generated, Selectable } from 'kysely';

/** A file with everything about a person. The row outlives the file: within a day nobody asks for another one. */
export interface AccountExportTable {
  account_id: string;
  /** The brand that tells when it is ready. */
  brand: string;
  requested_at: Generated<Date>;
  /** Null while it is prepared. */
  ready_at: Date | null;
  expires_at: Date;
}

export type AccountExportRow = Selectable<AccountExportTable>;

/** A piece of the file, in the order of the numbers. There are none once it was downloaded. */
export interface AccountExportPieceTable {
  account_id: string;
  number: number;
  /** Sealed under SECRET_KEY: the piece in base64. */
  sealed: string;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    account_export: AccountExportTable;
    account_export_piece: AccountExportPieceTable;
  }
}
