import type { Generated, Selectable } from 'kysely';

/** A notice of a sign-in in a browser never seen: it is promised with the session, and sent or left out after it. */
export interface SignInNoticeTable {
  /** That of the sign-in. */
  activity_id: string;
  account_id: string;
  brand: string;
  session_uid: string;
  /** The digest of the pre-session cookie. */
  device_hash: string;
  /** It was sent. */
  sent: Generated<boolean>;
  /** The value of the contact that it went to; null where it was not sent, and in rows of an earlier release. */
  sent_to: Generated<string | null>;
  /** The digest of the token in the link; null where no link was sent, or it was used. */
  token_hash: Generated<string | null>;
  /** When the notice was sent or left out. */
  decided_at: Generated<Date | null>;
  /** When the link ends. */
  expires_at: Date;
}

export type SignInNoticeRow = Selectable<SignInNoticeTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    sign_in_notice: SignInNoticeTable;
  }
}
