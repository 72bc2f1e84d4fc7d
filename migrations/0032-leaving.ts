import { type Kysely, sql } from 'kysely';

/** Accounts that are to be deleted, and files with everything about a person. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('account').addColumn('leaving_at', 'timestamptz').execute();
  await sql`create index account_leaving_at_idx on account (leaving_at) where leaving_at is not null`.execute(
    db,
  );
  // Changes name who made them; a person who leaves is named no more.
  await sql`create index client_change_actor_idx on client_change (actor_id) where actor_id is not null`.execute(
    db,
  );

  await db.schema
    .createTable('account_export')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    // Null while the file is prepared.
    .addColumn('ready_at', 'timestamptz')
    // Of the row: after it another file may be asked for. The file ends then, or once it is downloaded.
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('account_export_expires_at_idx')
    .on('account_export')
    .column('expires_at')
    .execute();
  await sql`create index account_export_waiting_idx on account_export (requested_at) where ready_at is null`.execute(
    db,
  );
  await db.schema
    .createTable('account_export_piece')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account_export.account_id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_export_piece_pkey', ['account_id', 'number'])
    .execute();
};
