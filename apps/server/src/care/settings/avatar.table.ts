import type { Selectable } from 'kysely';

/** The picture of an account, as the server encoded it. An account has one, and a new picture replaces it. */
export interface AvatarTable {
  account_id: string;
  /** Unguessable, and new with each picture. */
  name: string;
  bytes: Uint8Array;
  content_type: string;
  created_at: Date;
}

export type AvatarRow = Selectable<AvatarTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    avatar: AvatarTable;
  }
}
