import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('client')
    .addColumn('disabled', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema
    .createIndex('remembered_consent_client')
    .on('remembered_consent')
    .column('client_id')
    .execute();
};
