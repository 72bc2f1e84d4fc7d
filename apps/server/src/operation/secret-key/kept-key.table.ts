import type { Generated, Selectable } from 'kysely';

/** The purposes of kept keys. Of `cookie keys` only keyed fingerprints are kept. */
export type KeptKeyPurpose =
  | 'client secrets'
  | 'cookie keys'
  | 'dpop nonces'
  | 'fingerprints'
  | 'ids of imported accounts';

/** A key that outlasts the SECRET_KEY it was derived from, sealed under a SECRET_KEY that is in use. */
export interface KeptKeyTable {
  purpose: KeptKeyPurpose;
  /** SHA-256 of the key: a key is kept once, however many processes keep it. */
  fingerprint: string;
  sealed_key: string;
  created_at: Generated<Date>;
}

export type KeptKeyRow = Selectable<KeptKeyTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    kept_key: KeptKeyTable;
  }
}
