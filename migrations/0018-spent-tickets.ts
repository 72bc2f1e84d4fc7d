import { type Kysely, sql } from 'kysely';

/** What a ticket opened, so that the same interaction can be finished when the answer to it was lost. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('spent_ticket')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('interaction_hash', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  for (const column of ['expires_at', 'identifier', 'account_id'])
    await db.schema.createIndex(`spent_ticket_${column}_idx`).on('spent_ticket').column(column).execute();
};
