import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null where an earlier release wrote the row.
  await db.schema.alterTable('identifier_change').addColumn('verified_at', 'timestamptz').execute();
};
