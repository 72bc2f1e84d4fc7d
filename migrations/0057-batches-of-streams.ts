import { type Kysely, sql } from 'kysely';

/** What a change of a stream means for all that waits in it is done in batches, and its notices are found among that. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null where nothing is to be done.
  await db.schema.alterTable('signal_stream').addColumn('hurried_at', 'timestamptz').execute();
  await db.schema.alterTable('signal_stream').addColumn('dropped_at', 'timestamptz').execute();
  await sql`
    create index signal_notice on signal (stream_id, due_at)
    where settled_at is null and event = 'stream-updated'`.execute(db);
};
