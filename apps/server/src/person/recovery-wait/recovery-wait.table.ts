import type { Selectable } from 'kysely';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';

/** A recovery of an account whose second factor is lost: it waits, so that whoever did not ask for it can stop it. */
export interface RecoveryWaitTable {
  account_id: string;
  /** The identifier that was proven to ask for it. Only a new code to it ends the wait with a password. */
  kind: IdentifierKind;
  value: string;
  /** The digest of the token in the links that stop it: a dump of the database stops nothing. */
  stop_hash: string;
  requested_at: Date;
  due_at: Date;
  /** From then on it opens nothing any more. */
  expires_at: Date;
}

export type RecoveryWaitRow = Selectable<RecoveryWaitTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    recovery_wait: RecoveryWaitTable;
  }
}
