import type { Generated, Insertable, Selectable } from 'kysely';

export interface PasswordTable {
  account_id: string;
  hash: string;
  changed_at: Date;
  /** Since when somebody else may know it: a person said that a sign-in was somebody else’s. */
  doubted_at: Generated<Date | null>;
}

export type PasswordRow = Selectable<PasswordTable>;
export type NewPasswordRow = Insertable<PasswordTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const passwordColumns = [
  'account_id',
  'hash',
  'changed_at',
  'doubted_at',
] as const satisfies readonly (keyof PasswordRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    password: PasswordTable;
  }
}
