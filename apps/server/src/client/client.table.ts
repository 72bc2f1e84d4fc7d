import type { ColumnType, Generated, Selectable } from 'kysely';

/** A registered client; `metadata` has RFC 7591 names, its secret only as a keyed hash. */
export interface ClientTable {
  id: string;
  /** null: every brand's. */
  brand: string | null;
  metadata: ColumnType<Record<string, unknown>, string, string>;
  first_party: Generated<boolean>;
  /** Nothing knows it any more but its registration. */
  disabled: Generated<boolean>;
  updated_at: Generated<Date>;
}

export type ClientRow = Selectable<ClientTable>;
