import type { Generated } from 'kysely';

/** A process that serves; it writes so every minute. */
export interface ServingProcessTable {
  id: string;
  /** Keyed fingerprints of the SECRET_KEYs that it knows. */
  secret_keys: string[];
  seen_at: Generated<Date>;
  /** Null of a process of a release that did not say. */
  version: string | null;
  host: string | null;
  started_at: Date | null;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    serving_process: ServingProcessTable;
  }
}
