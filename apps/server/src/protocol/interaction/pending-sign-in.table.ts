import type { ColumnType, Selectable } from 'kysely';
import type { PassedFactor } from './pending-sign-in.ts';

/** A sign-in whose password or code was right, and whose second factor is due. */
export interface PendingSignInTable {
  brand: string;
  /** The digest of the interaction's uid. */
  interaction_hash: string;
  /** The digest of the pre-session cookie. */
  device_hash: string;
  account_id: string;
  /** The account's session epoch before the first proof was checked. */
  epoch: number;
  amr: ColumnType<string[], string, string>;
  /** The first proof. */
  proven_by: string;
  /** The identifier as it was typed; empty where none was. */
  identifier: string;
  /** Null until the factor is passed. */
  passed_by: ColumnType<PassedFactor | null, null | undefined, string | null>;
  expires_at: Date;
}

export type PendingSignInRow = Selectable<PendingSignInTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    pending_sign_in: PendingSignInTable;
  }
}
