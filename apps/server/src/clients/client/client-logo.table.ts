import type { Generated, Selectable } from 'kysely';

/** The logo of a client, fetched from its `logo_uri` and encoded anew. Without bytes it is yet to be fetched. */
export interface ClientLogoTable {
  client_id: string;
  /** The `logo_uri` that it was fetched from. A client with another `logo_uri` by now does not show it. */
  source: string;
  name: string | null;
  bytes: Uint8Array | null;
  /** Downloads that failed in a row. */
  failures: Generated<number>;
  /** When the logo is next fetched. */
  due_at: Date;
}

export type ClientLogoRow = Selectable<ClientLogoTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    client_logo: ClientLogoTable;
  }
}
