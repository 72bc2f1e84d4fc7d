import type { Selectable } from 'kysely';

/** What an identity provider told, so that it counts once. */
export interface ProviderEventTable {
  /** The kind of the provider: it tells all entries of its kind the same. */
  kind: string;
  /** Of the provider (RFC 7519 section 4.1.7). */
  jti: string;
  received_at: Date;
  expires_at: Date;
}

export type ProviderEventRow = Selectable<ProviderEventTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    provider_event: ProviderEventTable;
  }
}
