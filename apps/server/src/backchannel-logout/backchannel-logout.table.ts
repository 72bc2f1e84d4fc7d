import type { Generated } from 'kysely';

/** A client that is still to be told that a session has ended. */
export interface BackchannelLogoutTable {
  id: Generated<string>;
  brand: string;
  client_id: string;
  account_id: string;
  /** The session's name between the client and us; another client knows it by another. */
  sid: string;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  /** When the next try may begin; while one is under way, when another process may begin its own. */
  due_at: Generated<Date>;
  expires_at: Date;
}

declare module '../db/database.ts' {
  interface Database {
    backchannel_logout: BackchannelLogoutTable;
  }
}
