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

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const clientColumns = [
  'id',
  'brand',
  'metadata',
  'first_party',
  'disabled',
  'updated_at',
] as const satisfies readonly (keyof ClientRow)[];

declare module '../db/database.ts' {
  interface Database {
    client: ClientTable;
  }
}
