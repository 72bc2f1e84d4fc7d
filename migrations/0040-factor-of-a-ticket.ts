import type { Kysely } from 'kysely';

/** What a recovery has proven beside its contact; null: nothing yet. The release before asks once more. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('ticket').addColumn('factor', 'text').execute();
};
