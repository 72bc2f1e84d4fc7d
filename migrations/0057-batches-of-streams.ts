import type { Kysely } from 'kysely';

/** What a change of a stream means for all that waits in it is done in batches. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null where nothing is to be done.
  await db.schema.alterTable('signal_stream').addColumn('hurried_at', 'timestamptz').execute();
  await db.schema.alterTable('signal_stream').addColumn('dropped_at', 'timestamptz').execute();
};
