import type { Generated, Selectable } from 'kysely';

/** When the metadata document of a client is next fetched. The client's registration is what it said last. */
export interface ClientDocumentTable {
  client_id: string;
  due_at: Date;
  /** Fetches that failed in a row. */
  failures: Generated<number>;
}

export type ClientDocumentRow = Selectable<ClientDocumentTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    client_document: ClientDocumentTable;
  }
}
