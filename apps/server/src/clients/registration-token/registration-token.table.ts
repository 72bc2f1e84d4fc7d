import type { ColumnType, Generated, Selectable } from 'kysely';
import type { RegistrationPolicy } from './registration-policy.ts';

/** An initial access token (RFC 7591 section 1.2). It stays after its end: its policy holds for its clients. */
export interface RegistrationTokenTable {
  id: string;
  /** What the operator calls it. */
  name: string;
  hash: string;
  policy: ColumnType<RegistrationPolicy, string, never>;
  /** How many clients it may register, and how many it has. */
  max_uses: number;
  uses: Generated<number>;
  created_at: Generated<Date>;
  expires_at: Date;
  revoked_at: Date | null;
}

export type RegistrationTokenRow = Selectable<RegistrationTokenTable>;

/** Every column, for statements to name: docs/decisions/027-columns-by-name.md. */
export const registrationTokenColumns = [
  'id',
  'name',
  'hash',
  'policy',
  'max_uses',
  'uses',
  'created_at',
  'expires_at',
  'revoked_at',
] as const satisfies readonly (keyof RegistrationTokenRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    registration_token: RegistrationTokenTable;
  }
}
