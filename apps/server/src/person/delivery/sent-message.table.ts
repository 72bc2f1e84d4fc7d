import type { Generated, Selectable } from 'kysely';
import type { MessageChannel } from './message.ts';

/** What became of a message: without its text, and without whom it went to. */
export interface SentMessageTable {
  id: string;
  /** The digest of the canonical address. */
  recipient_hash: string;
  channel: MessageChannel;
  /** What it was for: the purpose of a code, or the name of a notice. */
  purpose: string;
  /** `dropped`: it stood for a message, and nobody was to get one. */
  state: 'waiting' | 'taken' | 'refused' | 'dropped';
  tries: Generated<number>;
  /** What the gateway said when it last refused. */
  words: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
  /** When nobody waits for it any more, and it is given up. */
  given_up_at: Date;
}

export type SentMessageRow = Selectable<SentMessageTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const sentMessageColumns = [
  'id',
  'recipient_hash',
  'channel',
  'purpose',
  'state',
  'tries',
  'words',
  'created_at',
  'settled_at',
  'given_up_at',
] as const satisfies readonly (keyof SentMessageRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    sent_message: SentMessageTable;
  }
}
