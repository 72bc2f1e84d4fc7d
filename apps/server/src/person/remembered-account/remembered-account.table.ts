import type { Generated, Selectable } from 'kysely';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';

/** An account that a browser remembers. */
export interface RememberedAccountTable {
  device_hash: string;
  account_id: string;
  last_used_at: Date;
  /** The identifier that was submitted in this browser; null in rows of an earlier release, which are not shown. */
  kind: IdentifierKind | null;
  value: string | null;
  /** As it was typed in this browser. */
  display: string | null;
  /** A session of the account was made in this browser. */
  has_signed_in: Generated<boolean>;
}

export type RememberedAccountRow = Omit<Selectable<RememberedAccountTable>, 'has_signed_in'>;

declare module '../../ground/db/database.ts' {
  interface Database {
    device_account: RememberedAccountTable;
  }
}
