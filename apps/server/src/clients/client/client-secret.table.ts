import type { Generated, Selectable } from 'kysely';

/** A secret of a client, as a keyed hash. All secrets of a client that have not ended work side by side. */
export interface ClientSecretTable {
  client_id: string;
  name: string;
  hash: string;
  created_at: Generated<Date>;
  /** null: it does not end. */
  expires_at: Date | null;
  /** To the hour; null: never used. */
  last_used_at: Date | null;
}

export type ClientSecretRow = Selectable<ClientSecretTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    client_secret: ClientSecretTable;
  }
}
