import type { Selectable } from 'kysely';

export interface PasswordTable {
  account_id: string;
  hash: string;
  changed_at: Date;
}

export type PasswordRow = Selectable<PasswordTable>;
