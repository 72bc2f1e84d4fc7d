import type { Selectable } from 'kysely';

export interface PasswordTable {
  account_id: string;
  hash: string;
  changed_at: Date;
}

export type PasswordRow = Selectable<PasswordTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const passwordColumns = [
  'account_id',
  'hash',
  'changed_at',
] as const satisfies readonly (keyof PasswordRow)[];
