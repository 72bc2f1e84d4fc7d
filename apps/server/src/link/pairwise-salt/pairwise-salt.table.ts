import type { Generated } from 'kysely';

/** The one salt of pairwise subjects, encrypted under SECRET_KEY; made once and never changed. */
export interface PairwiseSaltTable {
  /** Always true: there is one row at most. */
  only_row: Generated<boolean>;
  sealed_salt: string;
  created_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    pairwise_salt: PairwiseSaltTable;
  }
}
