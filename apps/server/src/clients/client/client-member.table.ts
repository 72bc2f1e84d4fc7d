import type { Generated, Selectable } from 'kysely';

/** A developer of a client. */
export interface ClientMemberTable {
  client_id: string;
  account_id: string;
  role: 'owner' | 'member';
  added_at: Generated<Date>;
}

export type ClientMemberRow = Selectable<ClientMemberTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    client_member: ClientMemberTable;
  }
}
