import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { MessageChannel } from './message.ts';

// All times are the database's own: processes whose clocks differ must not send a message twice.
const after = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;

export interface NewMessage {
  id: string;
  channel: MessageChannel;
  topic: string | null;
  sealed: string;
  /** How long it is left to the process that inserts it. */
  leaseSeconds: number;
  lifetimeSeconds: number;
}

/** A message that this process may try, until its lease ends. */
export interface LeasedMessage {
  id: string;
  sealed: string;
  attempts: number;
}

/** Inserts a message on its first lease; it takes the place of one of the same topic that still waits. */
export const upsertMessage = async (db: Kysely<Database>, message: NewMessage): Promise<void> => {
  const { id, channel, topic, sealed } = message;
  const values = {
    id,
    channel,
    sealed,
    attempts: 1,
    created_at: after(0),
    due_at: after(message.leaseSeconds),
    expires_at: after(message.lifetimeSeconds),
  };
  await db
    .insertInto('message')
    .values({ ...values, topic })
    .onConflict((conflict) => conflict.column('topic').where('topic', 'is not', null).doUpdateSet(values))
    .execute();
};

/** Leases what is due to this process: the oldest first, and none that another process holds. */
export const updateDueMessages = async (
  db: Kysely<Database>,
  { channel, limit, leaseSeconds }: { channel: MessageChannel; limit: number; leaseSeconds: number },
): Promise<LeasedMessage[]> =>
  db
    .updateTable('message')
    .set({ attempts: sql`attempts + 1`, due_at: after(leaseSeconds) })
    // An array is computed once, where a planner may run a subselect of IN again and lease too many.
    .where(
      sql<boolean>`id = any(array(${db
        .selectFrom('message')
        .select('id')
        .where('channel', '=', channel)
        .where('due_at', '<=', after(0))
        .where('expires_at', '>', after(0))
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()}))`,
    )
    .returning(['id', 'sealed', 'attempts'])
    .execute();

/** Gives a leased message back to whichever process comes first, after a pause. */
export const updateMessageDue = async (
  db: Kysely<Database>,
  { id, attempts }: Pick<LeasedMessage, 'id' | 'attempts'>,
  inSeconds: number,
): Promise<void> => {
  await db
    .updateTable('message')
    .set({ due_at: after(inSeconds) })
    .where('id', '=', id)
    // Of another count, the lease had ended and it is in other hands.
    .where('attempts', '=', attempts)
    .execute();
};

export const deleteMessage = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('message').where('id', '=', id).execute();
};

/** Some of the messages that wait, by their ids beyond `after`. */
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

/** Replaces what was read, unless another process did; answers whether it did. */
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

/** Counts what waits, but not beyond `limit`. */
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
        .where('expires_at', '>', after(0))
        .limit(limit)
        .as('waiting'),
    )
    .select((query) => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes what nobody waits for any more and answers how many were never delivered. */
export const deleteExpiredMessages = async (db: Kysely<Database>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('message')
    .where('expires_at', '<=', after(0))
    .executeTakeFirst();
  return Number(numDeletedRows);
};
