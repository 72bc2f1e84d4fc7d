import type { Locale } from '@candela/contract';
import type { GeneratedAlways, Insertable } from 'kysely';

/** Append-only: what was accepted, in which words, is evidence. */
export interface AgreementAcceptanceTable {
  id: GeneratedAlways<number>;
  account_id: string;
  agreement_id: string;
  version: string;
  locale: Locale;
  brand: string;
  /** The client on whose page it was read, by the word of the brand; null: on a page of this server. */
  client_id: string | null;
  accepted_at: Date;
}

export type NewAgreementAcceptanceRow = Insertable<AgreementAcceptanceTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    agreement_acceptance: AgreementAcceptanceTable;
  }
}
