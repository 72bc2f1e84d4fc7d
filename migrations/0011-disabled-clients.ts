import { type Kysely, sql } from 'kysely';

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
  await sql`
    create index oidc_model_client on oidc_model (client_id)
    where client_id is not null and model <> 'ReplayDetection'`.execute(db);
};
