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

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const stepUpColumns = [
  'token_hash',
  'brand',
  'session_uid',
  'proven_by',
  'expires_at',
] as const satisfies readonly (keyof StepUpRow)[];

declare module '../db/database.ts' {
  interface Database {
    step_up: StepUpTable;
  }
}
