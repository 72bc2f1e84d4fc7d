import type { Selectable } from 'kysely';

/** A way in through an identity provider: whom the provider calls `subject` is the person of the account. */
export interface FederatedIdentityTable {
  id: string;
  /** The brand at which it opens the account. What two brands call the same may be two people. */
  brand: string;
  /** The id of the provider in PROVIDERS_FILE. */
  provider: string;
  subject: string;
  account_id: string;
  /** As the provider told it last. Nobody is known by it. */
  email: string | null;
  linked_at: Date;
  /** Null until its person signs in with it. */
  last_used_at: Date | null;
  /** Since when it opens nothing, because the provider warned of it or a link put it back; null while it is open. */
  closed_at: Date | null;
  /** What is given back to the provider at the end; null where it wants nothing back. */
  refresh_token_sealed: string | null;
}

export type FederatedIdentityRow = Selectable<FederatedIdentityTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const federatedIdentityColumns = [
  'id',
  'brand',
  'provider',
  'subject',
  'account_id',
  'email',
  'linked_at',
  'last_used_at',
  'closed_at',
  'refresh_token_sealed',
] as const satisfies readonly (keyof FederatedIdentityRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    federated_identity: FederatedIdentityTable;
  }
}
