import { type Kysely, sql } from 'kysely';

/** What interactions keep ends with them, and what people approved is held against who the app was then. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('interaction')
    .addColumn('emptied', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  await sql`create index interaction_full on interaction (expires_at) where not emptied`.execute(db);
  await db.schema.alterTable('remembered_consent').addColumn('client_fingerprint', 'text').execute();
};
