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

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const signingKeyColumns = [
  'kid',
  'alg',
  'status',
  'sealed_jwk',
  'created_at',
  'activated_at',
  'retired_at',
] as const satisfies readonly (keyof SigningKeyRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    signing_key: SigningKeyTable;
  }
}
