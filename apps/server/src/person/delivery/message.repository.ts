import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime, secondsFromNow } from '../../ground/db/sql-time.ts';
import type { MessageChannel } from './message.ts';
import type { SentMessageRow } from './sent-message.table.ts';

/** The time by which a message is inserted. Its transaction may have begun long before: `now()` would shorten the lease. */
const secondsFromInsertion = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

export interface NewMessage {
  id: string;
  channel: MessageChannel;
  topic: string | null;
  sealed: string;
  /** How long the process that inserts the message has it to itself. */
  leaseSeconds: number;
  lifetimeSeconds: number;
  /** What is noted of it beside the message, which is sealed. */
  sent: Pick<SentMessageRow, 'recipient_hash' | 'purpose' | 'state'>;
}

/** What became of a try: what is noted of its message. */
export interface NotedTry {
  tries: number;
  /** What the gateway said; absent where it took the message. */
  words?: string | undefined;
}

/** A message that this process alone may try until its lease runs out. */
export interface LeasedMessage {
  id: string;
  sealed: string;
  attempts: number;
}

/** Inserts a message that is leased to this process, and notes it. It replaces a waiting message of the same topic. */
export const upsertMessage = async (db: Kysely<Database>, message: NewMessage): Promise<void> => {
  const { id, channel, topic, sealed, sent } = message;
  const expires_at = secondsFromInsertion(message.lifetimeSeconds);
  const values = {
    id,
    channel,
    sealed,
    attempts: 1,
    created_at: secondsFromInsertion(0),
    due_at: secondsFromInsertion(message.leaseSeconds),
    expires_at,
  };
  await db
    .with('noted', (query) =>
      query.insertInto('sent_message').values({ id, channel, ...sent, given_up_at: expires_at }),
    )
    .insertInto('message')
    .values({ ...values, topic })
    .onConflict((conflict) => conflict.column('topic').where('topic', 'is not', null).doUpdateSet(values))
    .execute();
};

/** Leases due messages to this process, the oldest first, and none that another process holds. */
export const updateDueMessages = async (
  db: Kysely<Database>,
  { channel, limit, leaseSeconds }: { channel: MessageChannel; limit: number; leaseSeconds: number },
): Promise<LeasedMessage[]> =>
  db
    .updateTable('message')
    .set({ attempts: sql`attempts + 1`, due_at: secondsFromNow(leaseSeconds) })
    // An array is computed once; a planner may run a subselect of IN again and lease too many.
    .where(
      sql<boolean>`id = any(array(${db
        .selectFrom('message')
        .select('id')
        .where('channel', '=', channel)
        .where('due_at', '<=', databaseTime)
        .where('expires_at', '>', databaseTime)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()}))`,
    )
    .returning(['id', 'sealed', 'attempts'])
    .execute();

/** Gives a leased message back: after a pause any process may lease it. */
export const updateMessageDue = async (
  db: Kysely<Database>,
  { id, attempts }: Pick<LeasedMessage, 'id' | 'attempts'>,
  inSeconds: number,
): Promise<void> => {
  await db
    .updateTable('message')
    .set({ due_at: secondsFromNow(inSeconds) })
    .where('id', '=', id)
    // Another count means that the lease had run out and another process has leased the message.
    .where('attempts', '=', attempts)
    .execute();
};

/** Notes a try after which the message waits for another one. */
export const updateSentTry = async (
  db: Kysely<Database>,
  id: string,
  { tries, words }: NotedTry,
): Promise<void> => {
  await db
    .updateTable('sent_message')
    .set({ tries, words: words ?? null })
    .where('id', '=', id)
    .execute();
};

/** Deletes a message that is not to be tried again, and notes what became of it. */
export const deleteMessage = async (
  db: Kysely<Database>,
  id: string,
  { state, tries, words }: NotedTry & Pick<SentMessageRow, 'state'>,
): Promise<void> => {
  await db
    .with('noted', (query) =>
      query
        .updateTable('sent_message')
        .set({ state, tries, words: words ?? null, settled_at: databaseTime })
        .where('id', '=', id),
    )
    .deleteFrom('message')
    .where('id', '=', id)
    .execute();
};

/** Waiting messages in the order of their ids, which are greater than `after`. */
export const listSealedMessages = (
  db: Kysely<Database>,
  { after: last, limit }: { after: string; limit: number },
): Promise<{ id: string; sealed: string }[]> =>
  db
    .selectFrom('message')
    .select(['id', 'sealed'])
    .where('id', '>', last)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Replaces the sealed text `from` by `to` unless another process has; answers whether it was replaced. */
export const updateSealedMessage = async (
  db: Kysely<Database>,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ sealed: to })
    .where('id', '=', id)
    .where('sealed', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Counts the waiting messages of a channel, up to `limit`. */
export const countMessages = async (
  db: Kysely<Database>,
  { channel, limit }: { channel: MessageChannel; limit: number },
): Promise<number> => {
  const { count } = await db
    .selectFrom((query) =>
      query
        .selectFrom('message')
        .select('id')
        .where('channel', '=', channel)
        .where('expires_at', '>', databaseTime)
        .limit(limit)
        .as('waiting'),
    )
    .select((query) => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes messages that nobody waits for any more, which were never delivered. Answers how many. */
export const deleteExpiredMessages = async (db: Kysely<Database>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('message')
    .where('expires_at', '<=', databaseTime)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
