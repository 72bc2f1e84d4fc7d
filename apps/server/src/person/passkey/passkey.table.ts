import type { Selectable } from 'kysely';

/** A passkey: a public key whose private key the person keeps (Web Authentication section 4, credential record). */
export interface PasskeyTable {
  id: string;
  account_id: string;
  /** The relying party id that it was made for; it works for no other. */
  rp_id: string;
  /** In base64url. */
  credential_id: string;
  /** The COSE key in base64url. */
  public_key: string;
  /** Of the last use; 0 where the authenticator counts nothing. */
  counter: number;
  /** How browsers reach it, separated by spaces. */
  transports: string;
  /** The model of its authenticator, as a UUID. */
  aaguid: string;
  /** Whether it can leave its device. It never changes. */
  backup_eligible: boolean;
  backed_up: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  /** When its counter went back; null where it never did. */
  warned_at: Date | null;
}

export type PasskeyRow = Selectable<PasskeyTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const passkeyColumns = [
  'id',
  'account_id',
  'rp_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'aaguid',
  'backup_eligible',
  'backed_up',
  'name',
  'created_at',
  'last_used_at',
  'warned_at',
] as const satisfies readonly (keyof PasskeyRow)[];

/** What authenticators know an account by: 64 random bytes in base64url, which say nothing of it (section 14.6.1). */
export interface UserHandleTable {
  account_id: string;
  handle: string;
}

/** When a person said that they want no passkey now. */
export interface PasskeyOfferTable {
  account_id: string;
  declined_at: Date;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    passkey: PasskeyTable;
    user_handle: UserHandleTable;
    passkey_offer: PasskeyOfferTable;
  }
}
