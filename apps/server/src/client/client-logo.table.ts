import type { Generated, Selectable } from 'kysely';

/** The logo of a client as we fetched it from its `logo_uri` and encoded it; without bytes it is to be fetched. */
export interface ClientLogoTable {
  client_id: string;
  /** The `logo_uri` it is of: a client that has another one by now does not show it. */
  source: string;
  name: string | null;
  bytes: Uint8Array | null;
  /** In a row. */
  failures: Generated<number>;
  /** When it is to be fetched, again or at last. */
  due_at: Date;
}

export type ClientLogoRow = Selectable<ClientLogoTable>;

declare module '../db/database.ts' {
  interface Database {
    client_logo: ClientLogoTable;
  }
}
