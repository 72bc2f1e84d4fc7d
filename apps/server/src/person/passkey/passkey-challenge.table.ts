import type { Selectable } from 'kysely';

/** What a challenge may be answered for, and nothing else. */
export type ChallengePurpose = 'register' | 'sign-in' | 'step-up' | 'recovery';

/** A challenge that a passkey is to sign, once. */
export interface PasskeyChallengeTable {
  /** The digest: a dump of the database answers no challenge. */
  challenge_hash: string;
  purpose: ChallengePurpose;
  brand: string;
  /** The digest of the pre-session cookie of the browser that asked. */
  browser_hash: string;
  /** The digest of the interaction, the `uid` of the session, or the account that recovers. */
  bound_to: string;
  /** Null where nobody knows yet who answers. */
  account_id: string | null;
  expires_at: Date;
  /** Its row outlives it for a while: a replay is told from a question that is over. */
  spent_at: Date | null;
}

export type PasskeyChallengeRow = Selectable<PasskeyChallengeTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    passkey_challenge: PasskeyChallengeTable;
  }
}
