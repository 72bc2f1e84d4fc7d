import type { Selectable } from 'kysely';

/** A proof that the person of a session is there; it goes with the session. */
export interface StepUpTable {
  /** Of the cookie's value: a dump of the database opens nothing. */
  token_hash: string;
  brand: string;
  session_uid: string;
  /** As of a session. */
  proven_by: string | null;
  expires_at: Date;
}

export type StepUpRow = Selectable<StepUpTable>;
