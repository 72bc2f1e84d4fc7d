import type { Generated } from 'kysely';
import type { MessageChannel } from './message.ts';

/** A message that was promised and is not delivered yet. Delivered messages are deleted at once. */
export interface MessageTable {
  id: string;
  channel: MessageChannel;
  /** At most one message of a topic waits: a newer one replaces it. */
  topic: string | null;
  /** The message as JSON, sealed under SECRET_KEY. */
  sealed: string;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  /** When any process may lease the message; a lease moves this time on. */
  due_at: Date;
  expires_at: Date;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    message: MessageTable;
  }
}
