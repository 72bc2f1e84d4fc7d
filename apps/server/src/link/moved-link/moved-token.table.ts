import type { Generated } from 'kysely';

/**
 * A refresh token of another server that an import took over, by the hash of its value. The row outlives the link: a link
 * that its person withdrew is not made again by a later run of the import.
 */
export interface MovedTokenTable {
  brand: string;
  id_hash: string;
  moved_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    moved_token: MovedTokenTable;
  }
}
