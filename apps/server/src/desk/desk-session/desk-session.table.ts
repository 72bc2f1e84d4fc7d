import type { Selectable } from 'kysely';

/** The desk, open in a session of staff. It goes with the session, and with the role. */
export interface DeskSessionTable {
  brand: string;
  session_uid: string;
  account_id: string;
  started_at: Date;
  /** Moves on with use, and at most to 8 hours after the start. */
  expires_at: Date;
}

export type DeskSessionRow = Selectable<DeskSessionTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    desk_session: DeskSessionTable;
  }
}
