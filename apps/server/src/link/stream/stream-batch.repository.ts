import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';

/** A lease of a signal lasts for so long: what is due later is not under way. */
export const LEASE_SECONDS = 15;

/** Rows of one statement: a statement has five seconds, and who changes the stream waits for it. */
const BATCH = 1_000;

/** Streams with something to be done in batches, 100 at most. */
export const listStreamsInBatches = async (db: Kysely<Database>): Promise<string[]> => {
  const rows = await db
    .selectFrom('signal_stream')
    .select('id')
    .where(sql<SqlBool>`(dropped_at is not null or (hurried_at is not null and status = 'enabled'))`)
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * A batch of what waits in a stream. The order keeps the plan on the index of what waits. SKIP LOCKED: a row that is
 * being leased or settled is left for later, so that no two statements wait for each other.
 */
const batchOf = (id: string, which: RawBuilder<SqlBool>) => sql<SqlBool>`signal.id = any(array(
  select waiting.id from signal as waiting
  where waiting.stream_id = ${id} and waiting.settled_at is null and ${which}
  order by waiting.due_at limit ${sql.lit(BATCH)}
  for update skip locked
))`;

/**
 * Drops a batch of what a stream had until it was disabled. The caller has locked the stream. Afterwards `dropped_at` is
 * null where nothing is left.
 */
export const dropBatch = async (trx: Kysely<Database>, id: string): Promise<void> => {
  const which = sql<SqlBool>`
    waiting.created_at < (select dropped_at from signal_stream where id = ${id})`;
  await trx
    .updateTable('signal')
    .set({ settled_at: sql<Date>`now()`, outcome: 'dropped' })
    .where(batchOf(id, which))
    .execute();
  await trx
    .updateTable('signal_stream')
    .set({ dropped_at: null })
    .where('id', '=', id)
    .where(
      sql<SqlBool>`not exists (
        select from signal as waiting
        where waiting.stream_id = ${id} and waiting.settled_at is null and ${which}
      )`,
    )
    .execute();
};

/**
 * Makes due a batch of what waits for its next try in a stream, and leaves alone what is under way. The caller has locked
 * the stream. Afterwards `hurried_at` is null where nothing is left.
 */
export const hurryBatch = async (trx: Kysely<Database>, id: string): Promise<void> => {
  const { numUpdatedRows } = await trx
    .updateTable('signal')
    .set({ due_at: sql<Date>`now()` })
    .where(batchOf(id, sql<SqlBool>`waiting.due_at > ${secondsFromNow(LEASE_SECONDS)}`))
    .executeTakeFirst();
  if (numUpdatedRows === BigInt(BATCH)) return;
  await trx.updateTable('signal_stream').set({ hurried_at: null }).where('id', '=', id).execute();
};
