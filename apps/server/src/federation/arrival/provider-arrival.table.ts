import type { Selectable } from 'kysely';

/** Who came from an identity provider and has no way in by it yet. */
export interface ProviderArrivalTable {
  brand: string;
  /** The digest of the interaction's uid. */
  interaction_hash: string;
  /** The digest of the pre-session cookie. */
  device_hash: string;
  provider: string;
  subject: string;
  /** As the provider told it. */
  email: string | null;
  /** The provider is the authority for the address. */
  email_proven: boolean;
  /** An address that a code proved and that leads to `account_id`; null where there is none. */
  email_by_code: string | null;
  /** What the provider calls the person. */
  name: string | null;
  /** The account that its person has to prove; null: they may get one. */
  account_id: string | null;
  /** The refresh token, encrypted under a key that the interaction's uid yields; null where there is none. */
  kept_token: string | null;
  expires_at: Date;
}

export type ProviderArrivalRow = Selectable<ProviderArrivalTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    provider_arrival: ProviderArrivalTable;
  }
}
