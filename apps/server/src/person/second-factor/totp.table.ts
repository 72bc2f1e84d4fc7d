import type { ColumnType, Generated, Selectable } from 'kysely';

/** The authenticator app of an account: one that is asked for, or one that is being set up. */
export interface TotpTable {
  account_id: string;
  /** The secret in base32, sealed under SECRET_KEY. */
  sealed_secret: string;
  /** The session that sets it up; null once it is on. */
  session_uid: string | null;
  started_at: Date;
  /** Null until a right code switches it on. */
  active_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The last time step whose code was used (RFC 6238 section 4.2): no code of it or of an earlier one works. */
  last_step: Generated<number>;
}

export type TotpRow = Selectable<TotpTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    totp: TotpTable;
  }
}
