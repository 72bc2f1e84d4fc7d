import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('client_document')
    .addColumn('client_id', 'text', (column) =>
      column.primaryKey().references('client.id').onDelete('cascade'),
    )
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('client_document_due').on('client_document').column('due_at').execute();
};
