import type { Kysely } from 'kysely';

/** What was added to an account and can be taken back for 72 hours, by a link. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('addition')
    .addColumn('undo_hash', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    // The passkey.
    .addColumn('passkey_id', 'text', (column) => column.references('passkey.id').onDelete('cascade'))
    .addColumn('added_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  for (const column of ['account_id', 'expires_at', 'passkey_id'])
    await db.schema.createIndex(`addition_${column}_idx`).on('addition').column(column).execute();
};
