import type { Selectable } from 'kysely';

/** A counter shared by all processes; its window opens with the first hit and ends at `expires_at`. */
export interface RateLimitTable {
  key: string;
  hits: number;
  expires_at: Date;
}

export type RateLimitRow = Selectable<RateLimitTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const rateLimitColumns = [
  'key',
  'hits',
  'expires_at',
] as const satisfies readonly (keyof RateLimitRow)[];

declare module '../db/database.ts' {
  interface Database {
    rate_limit: RateLimitTable;
  }
}
