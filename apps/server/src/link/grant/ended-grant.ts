import type { AuthorizationGrantRow } from './grant.table.ts';

/** What is known of a deleted grant, by the names of its columns. */
export const endedColumns = [
  'brand',
  'id',
  'account_id',
  'client_id',
  'scope',
  'label',
  'has_refresh_token',
  'created_at',
  'google_token_hash',
] as const satisfies readonly (keyof AuthorizationGrantRow)[];

export type EndedGrant = Pick<AuthorizationGrantRow, (typeof endedColumns)[number]>;
