import type { Kysely } from 'kysely';

/** What browsers tell of themselves beside the user agent, and which optional permissions people left out. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['session', 'authorization_grant']) {
    await db.schema.alterTable(table).addColumn('client_hints', 'jsonb').execute();
  }
  await db.schema
    .alterTable('remembered_consent')
    .addColumn('declined', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // Withdrawing all authorizations of an account, on all brands, and deleting an account.
  await db.schema
    .createIndex('remembered_consent_account')
    .on('remembered_consent')
    .column('account_id')
    .execute();
};
