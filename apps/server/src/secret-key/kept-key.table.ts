import type { Generated, Selectable } from 'kysely';

/** What a key is for that outlasts the SECRET_KEY of its day. Of `cookie keys` only keyed fingerprints are kept. */
export type KeptKeyPurpose =
  | 'client secrets'
  | 'cookie keys'
  | 'dpop nonces'
  | 'fingerprints'
  | 'ids of imported accounts';

/** A key that outlasts a SECRET_KEY, encrypted under the SECRET_KEY of today. */
export interface KeptKeyTable {
  purpose: KeptKeyPurpose;
  /** SHA-256 of the key, by which two processes know that they keep the same one. */
  fingerprint: string;
  sealed_key: string;
  created_at: Generated<Date>;
}

export type KeptKeyRow = Selectable<KeptKeyTable>;

declare module '../db/database.ts' {
  interface Database {
    kept_key: KeptKeyTable;
  }
}
