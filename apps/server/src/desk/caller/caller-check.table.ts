import type { Selectable } from 'kysely';

/** A check of who is calling, by one member of staff about one account. The newest takes the place of the one before. */
export interface CallerCheckTable {
  account_id: string;
  staff_id: string;
  way: 'code' | 'digits';
  /** The kind of the contact that a code went to. */
  contact: 'phone' | 'email' | null;
  /** The keyed hash of the answer. */
  answer_hash: string;
  /** The person reads them; null of a code. */
  digits: string | null;
  tries_left: number;
  state: 'asked' | 'right' | 'wrong';
  /** When an answer is too late; of a right one, until when it counts. */
  expires_at: Date;
}

export type CallerCheckRow = Selectable<CallerCheckTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    caller_check: CallerCheckTable;
  }
}
