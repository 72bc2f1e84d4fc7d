import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import type { UnknownAccountPolicy } from '../account/unknown-account-policy.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import type { CodeKey } from './secrets.ts';
import type { CodeLimits } from './send-limits.ts';

export interface VerificationOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'requireRoom' | 'add'>;
  /** Keys of the HMAC under which codes are stored; they are not in the database. The first makes, all verify. */
  keys: readonly [CodeKey, ...CodeKey[]];
  /** Stands for identifiers in the keys of counters. */
  keyOf: KeyOf;
  limits: CodeLimits;
  now: () => Date;
  /** Default: six random digits. */
  randomCode?: () => string;
  /** With `reveal` a code to sign in is not sent where there is no account. Default: `after-code`. */
  unknownAccount?: UnknownAccountPolicy;
  events: EventSink;
}
