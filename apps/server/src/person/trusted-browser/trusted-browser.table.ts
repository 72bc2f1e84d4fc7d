import type { ColumnType, Selectable } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';

/** A browser in which the second factor of an account is not asked for. */
export interface TrustedBrowserTable {
  id: string;
  account_id: string;
  /** The digest of the cookie's value: a dump of the database stands for no browser. */
  token_hash: string;
  /** The digest of the pre-session cookie: neither cookie works without the other. */
  device_hash: string;
  brand: string;
  user_agent: string;
  client_hints: ColumnType<ClientHints | null, string | null | undefined, string | null>;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

export type TrustedBrowserRow = Selectable<TrustedBrowserTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    trusted_browser: TrustedBrowserTable;
  }
}
