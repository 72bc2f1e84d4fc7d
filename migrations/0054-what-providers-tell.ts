import { type Kysely, sql } from 'kysely';

/** What identity providers told, so that it counts once, and what is to be given back to them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('provider_event')
    // Of the provider: what it tells is told to all entries of its kind.
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('received_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_event_pkey', ['kind', 'jti'])
    .execute();
  await db.schema
    .createIndex('provider_event_expires_at')
    .on('provider_event')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('identity_revocation')
    .addColumn('id', 'text', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()::text`))
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    // No account: it may be gone. Who has a way in again keeps what was issued.
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('refresh_token_sealed', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createIndex('identity_revocation_due_at')
    .on('identity_revocation')
    .column('due_at')
    .execute();
};
