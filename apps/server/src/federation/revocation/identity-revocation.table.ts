import type { Generated, Selectable } from 'kysely';

/** What an identity provider issued and is to take back. */
export interface IdentityRevocationTable {
  id: Generated<string>;
  brand: string;
  provider: string;
  subject: string;
  refresh_token_sealed: string;
  /** Tries that began. */
  attempts: Generated<number>;
  due_at: Generated<Date>;
}

export type IdentityRevocationRow = Selectable<IdentityRevocationTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    identity_revocation: IdentityRevocationTable;
  }
}
