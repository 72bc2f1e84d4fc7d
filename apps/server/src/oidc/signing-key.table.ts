import type { Generated, Selectable } from 'kysely';

/** A private key of the issuers, encrypted under SECRET_KEY. */
export interface SigningKeyTable {
  kid: string;
  alg: string;
  status: 'next' | 'current' | 'previous';
  sealed_jwk: string;
  created_at: Generated<Date>;
  /** When it began to sign. */
  activated_at: Date | null;
  /** When it ceased to sign; it is published until nothing it signed is accepted any more. */
  retired_at: Date | null;
}

export type SigningKeyRow = Selectable<SigningKeyTable>;
