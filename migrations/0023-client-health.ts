import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('client_error')
    .addColumn('client_id', 'text', (column) => column.notNull().references('client.id').onDelete('cascade'))
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('sent', 'jsonb', (column) => column.notNull())
    .addColumn('expected', 'jsonb', (column) => column.notNull())
    .addPrimaryKeyConstraint('client_error_pkey', ['client_id', 'reference'])
    .execute();
  await db.schema
    .createIndex('client_error_newest')
    .on('client_error')
    .columns(['client_id', 'created_at desc', 'reference'])
    .execute();
  await db.schema.createIndex('client_error_created_at').on('client_error').column('created_at').execute();

  await db.schema
    .createTable('client_day')
    .addColumn('client_id', 'text', (column) => column.notNull().references('client.id').onDelete('cascade'))
    // By UTC.
    .addColumn('day', 'date', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('client_day_pkey', ['client_id', 'day', 'kind'])
    .execute();
  await db.schema.createIndex('client_day_day').on('client_day').column('day').execute();
};
