import type { Generated } from 'kysely';
import type { MessageChannel } from './message.ts';

/** Messages that were promised and are not yet delivered; a delivered one is deleted at once. */
export interface MessageTable {
  id: string;
  channel: MessageChannel;
  /** At most one message of a topic waits: a newer one takes the place of the older. */
  topic: string | null;
  /** The message itself, under SECRET_KEY. */
  sealed: string;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  /** When any process may try it; one that tries it moves this on first. */
  due_at: Date;
  expires_at: Date;
}

declare module '../db/database.ts' {
  interface Database {
    message: MessageTable;
  }
}
