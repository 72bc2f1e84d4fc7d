import type { Kysely } from 'kysely';

/** A client may register itself without an initial access token: it has none then. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('dynamic_client')
    .alterColumn('token_id', (column) => column.dropNotNull())
    .execute();
};
