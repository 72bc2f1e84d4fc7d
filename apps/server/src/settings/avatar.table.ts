import type { Selectable } from 'kysely';

/** The one picture of an account, as we encoded it: what is replaced is gone. */
export interface AvatarTable {
  account_id: string;
  /** Unguessable, and another one with each picture. */
  name: string;
  bytes: Uint8Array;
  content_type: string;
  created_at: Date;
}

export type AvatarRow = Selectable<AvatarTable>;

declare module '../db/database.ts' {
  interface Database {
    avatar: AvatarTable;
  }
}
