import type { ColumnType, Generated, Selectable } from 'kysely';

interface TokenTable {
  brand: string;
  id_hash: string;
  account_id: string;
  client_id: string;
  grant_id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  created_at: Generated<Date>;
  consumed_at: Date | null;
  expires_at: Date;
}

export type AuthorizationCodeTable = TokenTable;
export type AccessTokenTable = TokenTable;

/** A refresh token, with a reference to the token that it replaced. */
export interface RefreshTokenTable extends TokenTable {
  predecessor_hash: string | null;
  /** This token's value, encrypted under a key that only the predecessor's value yields. */
  sealed_value: string | null;
  /** When the predecessor ended: at the first use of this token or, in the mode `rotate`, when this token was issued. */
  first_used_at: Date | null;
}

/** The engine's models off the hot path. */
export interface OidcModelTable {
  brand: string;
  model: string;
  id_hash: string;
  account_id: string | null;
  client_id: string | null;
  grant_id: string | null;
  uid: string | null;
  user_code: string | null;
  payload: ColumnType<Record<string, unknown>, string, string>;
  consumed_at: Date | null;
  /** When a device last polled with its device code, and whether that was too soon. */
  polled_at: Date | null;
  polled_too_soon: boolean | null;
  /** How long the device has to wait between two polls; null while it was never slowed down. */
  poll_interval_seconds: number | null;
  expires_at: Date;
}

export type OidcModelRow = Selectable<OidcModelTable>;

/** All columns, for statements to name (docs/decisions/027-columns-by-name.md). */
export const oidcModelColumns = [
  'brand',
  'model',
  'id_hash',
  'account_id',
  'client_id',
  'grant_id',
  'uid',
  'user_code',
  'payload',
  'consumed_at',
  'polled_at',
  'polled_too_soon',
  'poll_interval_seconds',
  'expires_at',
] as const satisfies readonly (keyof OidcModelRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    access_token: AccessTokenTable;
    authorization_code: AuthorizationCodeTable;
    oidc_model: OidcModelTable;
    refresh_token: RefreshTokenTable;
  }
}
