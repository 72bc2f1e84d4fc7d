import type { Generated, Selectable } from 'kysely';

/** A private key of the issuers, encrypted under SECRET_KEY. */
export interface SigningKeyTable {
  kid: string;
  alg: string;
  status: 'next' | 'current' | 'previous';
  sealed_jwk: string;
  created_at: Generated<Date>;
}

export type SigningKeyRow = Selectable<SigningKeyTable>;
