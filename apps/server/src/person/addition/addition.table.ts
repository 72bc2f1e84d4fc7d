import type { ColumnType, Selectable } from 'kysely';
import type { KeptIdentity } from '../federated-identity/kept-identity.ts';

/** What was added to an account and can be taken back by the link in its notice. */
export interface AdditionTable {
  /** The digest of the token in the link: a dump of the database takes nothing back. */
  undo_hash: string;
  account_id: string;
  /** A phone number or e-mail address that took the place of none; nobody gets a link of it. */
  kind: 'totp' | 'passkey' | 'provider' | 'provider_removed' | 'recovery_codes' | 'phone' | 'email';
  /** Null for what is no passkey. */
  passkey_id: string | null;
  /** Of a way in through an identity provider that was added; else null. */
  identity_id: string | null;
  /** Of a way in that was removed: its row; else null. */
  removed: ColumnType<KeptIdentity | null, string | null | undefined, never>;
  /** The uid of the session in which it was added; null in rows of an earlier release. */
  session_uid: string | null;
  added_at: Date;
  /** When the link ends. */
  expires_at: Date;
}

export type AdditionRow = Selectable<AdditionTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    addition: AdditionTable;
  }
}
