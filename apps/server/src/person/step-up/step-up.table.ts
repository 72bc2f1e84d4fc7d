import type { Selectable } from 'kysely';

/** A proof that the person of a session is there; it goes with the session. */
export interface StepUpTable {
  /** The digest of the cookie's value: a dump of the database opens nothing. */
  token_hash: string;
  brand: string;
  session_uid: string;
  /** The `Proof`; null where an earlier release wrote the row. */
  proven_by: string | null;
  expires_at: Date;
}

export type StepUpRow = Selectable<StepUpTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const stepUpColumns = [
  'token_hash',
  'brand',
  'session_uid',
  'proven_by',
  'expires_at',
] as const satisfies readonly (keyof StepUpRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    step_up: StepUpTable;
  }
}
