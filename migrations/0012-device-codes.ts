import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('oidc_model')
    .addColumn('polled_at', 'timestamptz')
    .addColumn('poll_interval_seconds', 'integer')
    .addColumn('polled_too_soon', 'boolean')
    .execute();
  await db.schema
    .alterTable('authorization_grant')
    .addColumn('grant_mode', 'text', (column) => column.notNull().defaultTo('authorization_code'))
    .execute();
};
