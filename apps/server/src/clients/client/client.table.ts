import type { ClientSource } from '@candela/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** A registered client. `metadata` has the names of RFC 7591, without secrets. */
export interface ClientTable {
  id: string;
  /** null: every brand has the client. */
  brand: string | null;
  metadata: ColumnType<Record<string, unknown>, string, string>;
  first_party: Generated<boolean>;
  /** The fingerprint of the client that an operator made the brand’s own; null where none did. */
  approved_fingerprint: string | null;
  /** Whether the client is unknown to everything but its registration. */
  disabled: Generated<boolean>;
  /** Who made the client known first. */
  source: Generated<ClientSource>;
  /** The id of the machine that made it; null where no machine did. */
  made_by: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type ClientRow = Selectable<ClientTable>;

/** Every column, for statements to name: docs/decisions/027-columns-by-name.md. */
export const clientColumns = [
  'id',
  'brand',
  'metadata',
  'first_party',
  'approved_fingerprint',
  'disabled',
  'source',
  'made_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ClientRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    client: ClientTable;
  }
}
