import type { Generated, Selectable } from 'kysely';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';

/**
 * A change of an identifier that waits, or one that happened at once and can still be undone. The times are
 * the database's, but for `verified_at` and `bound_at`, which are copied from the identifier.
 */
export interface IdentifierChangeTable {
  id: string;
  account_id: string;
  kind: IdentifierKind;
  /** The identifier at stake: it goes, or has gone. */
  value: string;
  display: string;
  /** When it was verified; null in rows of an earlier release. */
  verified_at: Date | null;
  /** Since when it counted as bound. An undone change binds it since then again. */
  bound_at: Date;
  /** What comes in its place; null where nothing does. */
  new_value: string | null;
  new_display: string | null;
  /** The brand that sends the notices. */
  brand: string;
  /** The digest of the token in the link that undoes the change: a dump of the database undoes nothing. */
  undo_hash: string;
  requested_at: Generated<Date>;
  /** When a change that waits is carried out, and when the link ends. */
  due_at: Date;
  /** Null while it waits. */
  done_at: Date | null;
  /** The uid of the session that gave the identifier up by a code to it: no link brings it back. */
  given_up_in: string | null;
  /** The uid of the session that asked for the change; null where none did, and in rows of an earlier release. */
  session_uid: string | null;
}

export type IdentifierChangeRow = Selectable<IdentifierChangeTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    identifier_change: IdentifierChangeTable;
  }
}
