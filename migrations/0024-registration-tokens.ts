import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('registration_token')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('policy', 'jsonb', (column) => column.notNull())
    .addColumn('max_uses', 'integer', (column) => column.notNull())
    .addColumn('uses', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('revoked_at', 'timestamptz')
    .addCheckConstraint('registration_token_uses', sql`uses <= max_uses`)
    .execute();

  await db.schema
    .createTable('dynamic_client')
    .addColumn('client_id', 'text', (column) =>
      column.primaryKey().references('client.id').onDelete('cascade'),
    )
    // The policy of its token holds for as long as the client lives.
    .addColumn('token_id', 'text', (column) => column.notNull().references('registration_token.id'))
    .addColumn('access_hash', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('dynamic_client_ends')
    .on('dynamic_client')
    .column('ends_at')
    .where(sql.ref('ends_at'), 'is not', null)
    .execute();
};
