import type { Generated } from 'kysely';

/** A logout that a client is still to get, for a session that has ended. */
export interface BackchannelLogoutTable {
  id: Generated<string>;
  brand: string;
  client_id: string;
  account_id: string;
  /** The id of the session for this client; other clients have other ids for it (OpenID Connect Back-Channel Logout). */
  sid: string;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  /** When the next try may begin. While a try is under way: when its lease ends. */
  due_at: Generated<Date>;
  expires_at: Date;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    backchannel_logout: BackchannelLogoutTable;
  }
}
