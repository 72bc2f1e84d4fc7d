import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';

/** One approval of one client by one account. Deleting the row kills every token of the grant. */
export interface AuthorizationGrantTable {
  brand: string;
  id: string;
  account_id: string;
  client_id: string;
  session_uid: string | null;
  scope: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  /** How the app got the approval: in a browser of its own, or for a device that has none (RFC 8628). */
  grant_mode: Generated<'authorization_code' | 'device_code'>;
  /** A grant with a refresh token is a link: it outlives the session it was made in. */
  has_refresh_token: Generated<boolean>;
  user_agent: string;
  /** Null for a browser that sends no hints. */
  client_hints: ColumnType<ClientHints | null, string | null | undefined, string | null>;
  address: string;
  locale: string;
  /** What the person calls the link; null where they gave it no name. */
  label: string | null;
  created_at: Generated<Date>;
  last_accessed_at: Generated<Date>;
  /** Slides with its tokens and never ends before them. */
  expires_at: Date;
  /** How often a link was refreshed, by day (UTC), of seven days with refreshes at most; null before the first. */
  refreshes: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  /** When the person renewed the link last. */
  renewed_at: Date | null;
  /** When the link ends however often it is used, as of its last use; null: it lasts as long as it is used. */
  ends_at: Date | null;
  /** For how many days before `ends_at` the person was told of it last; null: not yet. */
  end_told_days: number | null;
  /** What Google knows the link by (`hashKeptByGoogle`); null for a link of any other client. */
  google_token_hash: string | null;
}

export type AuthorizationGrantRow = Selectable<AuthorizationGrantTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const grantColumns = [
  'brand',
  'id',
  'account_id',
  'client_id',
  'session_uid',
  'scope',
  'payload',
  'grant_mode',
  'has_refresh_token',
  'user_agent',
  'client_hints',
  'address',
  'locale',
  'label',
  'created_at',
  'last_accessed_at',
  'expires_at',
  'refreshes',
  'renewed_at',
  'ends_at',
  'end_told_days',
  'google_token_hash',
] as const satisfies readonly (keyof AuthorizationGrantRow)[];

/** Scopes that an account approved for a client before: it is not asked for them again. */
export interface RememberedConsentTable {
  brand: string;
  account_id: string;
  client_id: string;
  /** Approved. */
  scope: string;
  /** Left out of an approval, where the app lets people choose. */
  declined: Generated<string>;
  /** The fingerprint of the client at the approval; null in a row of an earlier release, until it is read. */
  client_fingerprint: string | null;
  updated_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    authorization_grant: AuthorizationGrantTable;
    remembered_consent: RememberedConsentTable;
  }
}
