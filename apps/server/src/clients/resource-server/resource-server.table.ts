import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ResourceServerMetadata } from './resource-server-entry.ts';

/** A protected API that tokens are issued for, by the URI that RFC 8707 calls its resource indicator. */
export interface ResourceServerTable {
  identifier: string;
  /** null: every brand's. */
  brand: string | null;
  metadata: ColumnType<ResourceServerMetadata, string, string>;
  updated_at: Generated<Date>;
}

export type ResourceServerRow = Selectable<ResourceServerTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const resourceServerColumns = [
  'identifier',
  'brand',
  'metadata',
  'updated_at',
] as const satisfies readonly (keyof ResourceServerRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    resource_server: ResourceServerTable;
  }
}
