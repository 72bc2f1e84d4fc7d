import { type Kysely, sql } from 'kysely';

/** Which account was made for which person of Google, and at which app an agreement was accepted. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('google_subject')
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('google_subject_pkey', ['client_id', 'subject'])
    .execute();
  // Deleting an account, and its copy of data.
  await db.schema.createIndex('google_subject_account').on('google_subject').column('account_id').execute();
  // Null: on a page of this server.
  await db.schema.alterTable('agreement_acceptance').addColumn('client_id', 'text').execute();
};
