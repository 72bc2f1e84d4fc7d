import type { Selectable } from 'kysely';

/** Somebody who was sent to an identity provider and is expected back. */
export interface ProviderAttemptTable {
  /** The digest of `state`. */
  state_hash: string;
  brand: string;
  provider: string;
  /** The digest of the pre-session cookie. */
  device_hash: string;
  /** What was sent there and where it leads, encrypted under a key that `state` alone yields: a dump tells nothing. */
  kept: string;
  /** The answer, encrypted in the same way; null until it comes. */
  answer: string | null;
  started_at: Date;
  /** When the answer was used; null while it was not. */
  taken_at: Date | null;
  expires_at: Date;
}

export type ProviderAttemptRow = Selectable<ProviderAttemptTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    provider_attempt: ProviderAttemptTable;
  }
}
