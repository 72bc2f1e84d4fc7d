import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('avatar')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('client_logo')
    .addColumn('client_id', 'text', (column) =>
      column.primaryKey().references('client.id').onDelete('cascade'),
    )
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.unique())
    .addColumn('bytes', 'bytea')
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addCheckConstraint('client_logo_named', sql`(name is null) = (bytes is null)`)
    .execute();
  await db.schema.createIndex('client_logo_due_at_idx').on('client_logo').column('due_at').execute();

  // JPEG and PNG are compressed already.
  for (const table of ['avatar', 'client_logo']) {
    await sql`alter table ${sql.table(table)} alter column bytes set storage external`.execute(db);
  }
};
