import type { Kysely } from 'kysely';

/** Rows to lock, where the engine has no advisory locks. There the migrator has made the table before. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('named_lock')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
};
