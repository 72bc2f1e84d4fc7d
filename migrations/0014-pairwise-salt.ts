import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('pairwise_salt')
    .addColumn('only_row', 'boolean', (column) => column.primaryKey().defaultTo(true).check(sql`only_row`))
    .addColumn('sealed_salt', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
};
