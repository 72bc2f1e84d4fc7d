import type { Generated, Insertable, Selectable } from 'kysely';

export interface PasswordTable {
  account_id: string;
  hash: string;
  changed_at: Date;
  /** Since when somebody else may know it: a change that was made with it was undone. */
  doubted_at: Generated<Date | null>;
}

export type PasswordRow = Selectable<PasswordTable>;
export type NewPasswordRow = Insertable<PasswordTable>;
