import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('serving_process')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_keys', sql`text[]`, (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
};
