import type { Generated, Selectable } from 'kysely';

/** An account that asks to register clients. */
export interface DeveloperRequestTable {
  account_id: string;
  why: string;
  state: 'waiting' | 'refused';
  created_at: Generated<Date>;
  /** Of a refused one: until then its account asks for nothing. */
  expires_at: Date;
}

export type DeveloperRequestRow = Selectable<DeveloperRequestTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    developer_request: DeveloperRequestTable;
  }
}
