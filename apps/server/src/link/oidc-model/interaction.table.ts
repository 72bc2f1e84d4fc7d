import type { ColumnType, Generated, Selectable } from 'kysely';

/** An authorization request that waits for a person. The row outlives the engine's model and leads late visitors back to the app. */
export interface InteractionTable {
  brand: string;
  id_hash: string;
  client_id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  switched_at: Date | null;
  finished_at: Date | null;
  destroyed_at: Date | null;
  /** Whether the payload holds no more than late visitors need. */
  emptied: Generated<boolean>;
  expires_at: Date;
}

export type InteractionRow = Selectable<InteractionTable>;

/** All columns, for statements to name (docs/decisions/027-columns-by-name.md). */
export const interactionColumns = [
  'brand',
  'id_hash',
  'client_id',
  'payload',
  'switched_at',
  'finished_at',
  'destroyed_at',
  'expires_at',
  'emptied',
] as const satisfies readonly (keyof InteractionRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    interaction: InteractionTable;
  }
}
