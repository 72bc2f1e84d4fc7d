import type { Selectable } from 'kysely';

/** A client that registered itself. */
export interface DynamicClientTable {
  client_id: string;
  /** The initial access token that it was registered with; null: it needed none. */
  token_id: string | null;
  /** The hash of its registration access token (RFC 7592 section 1.2). */
  access_hash: string;
  /** null: it does not end. */
  ends_at: Date | null;
}

export type DynamicClientRow = Selectable<DynamicClientTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    dynamic_client: DynamicClientTable;
  }
}
