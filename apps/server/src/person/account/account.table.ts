import type { Locale } from '@candela/contract';
import type { Generated, Insertable, Selectable } from 'kysely';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';

export interface AccountTable {
  id: string;
  nickname: string;
  locale: Locale;
  status: 'active' | 'disabled';
  created_at: Date;
  updated_at: Date;
  /** Raised by each ending of all, or all other, sessions: a sign-in that began before makes no session. */
  session_epoch: Generated<number>;
  /** When an operator disabled it, and why; null while it is active. */
  disabled_at: Date | null;
  disabled_reason: string | null;
  /** When it is deleted; null for an account that stays. */
  leaving_at: Generated<Date | null>;
  /** When a password that somebody else may know was closed; null where none ever was. */
  password_closed_at: Generated<Date | null>;
}

export interface AccountIdentifierTable {
  kind: IdentifierKind;
  /** The canonical compare key. */
  value: string;
  /** As it is shown to its owner. */
  display: string;
  account_id: string;
  verified_at: Date;
  /** Since when it counts as bound, where it inherits the age of an identifier that it replaced; else null. */
  bound_since: Date | null;
}

export type AccountRow = Selectable<AccountTable>;
export type NewAccountRow = Insertable<AccountTable>;
export type AccountIdentifierRow = Selectable<AccountIdentifierTable>;
export type NewAccountIdentifierRow = Insertable<AccountIdentifierTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const accountColumns = [
  'id',
  'nickname',
  'locale',
  'status',
  'created_at',
  'updated_at',
  'session_epoch',
  'disabled_at',
  'disabled_reason',
  'leaving_at',
  'password_closed_at',
] as const satisfies readonly (keyof AccountRow)[];

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const identifierColumns = [
  'kind',
  'value',
  'display',
  'account_id',
  'verified_at',
  'bound_since',
] as const satisfies readonly (keyof AccountIdentifierRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    account: AccountTable;
    account_identifier: AccountIdentifierTable;
  }
}
