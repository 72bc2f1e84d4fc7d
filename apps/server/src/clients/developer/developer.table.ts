import type { Generated, Selectable } from 'kysely';

/** An account that an operator allowed to register clients. */
export interface DeveloperTable {
  account_id: string;
  allowed_at: Generated<Date>;
}

export type DeveloperRow = Selectable<DeveloperTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    developer: DeveloperTable;
  }
}
