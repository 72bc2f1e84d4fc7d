import { type Kysely, sql } from 'kysely';

/** Ways in through identity providers, who is on the way there, and who came back and is not known. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('federated_identity')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text', (column) => column.notNull())
    // The id of its entry in PROVIDERS_FILE.
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    // As the provider told it last. Nobody is known by it.
    .addColumn('email', 'text')
    .addColumn('linked_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    // Since when it opens nothing, because the provider said so; null while it is open.
    .addColumn('closed_at', 'timestamptz')
    // Of providers that are told when a person leaves.
    .addColumn('refresh_token_sealed', 'text')
    .addUniqueConstraint('federated_identity_subject', ['brand', 'provider', 'subject'])
    .addUniqueConstraint('federated_identity_account', ['account_id', 'brand', 'provider'])
    .execute();

  await db.schema
    .createTable('provider_attempt')
    .addColumn('state_hash', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    // Both are encrypted under a key that the state alone yields.
    .addColumn('kept', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('started_at', 'timestamptz', (column) => column.notNull())
    // When the answer was used; null while it was not.
    .addColumn('taken_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('provider_attempt_expires_at')
    .on('provider_attempt')
    .column('expires_at')
    .execute();

  await db.schema
    .createTable('provider_arrival')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('interaction_hash', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('email_proven', 'boolean', (column) => column.notNull())
    .addColumn('name', 'text')
    // The account that its person has to prove; null: they may get one.
    .addColumn('account_id', 'text', (column) => column.references('account.id').onDelete('cascade'))
    // Encrypted under a key that the interaction alone yields.
    .addColumn('kept_token', 'text')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_arrival_pkey', ['brand', 'interaction_hash'])
    .execute();
  await db.schema
    .createIndex('provider_arrival_expires_at')
    .on('provider_arrival')
    .column('expires_at')
    .execute();
  await db.schema
    .createIndex('provider_arrival_account')
    .on('provider_arrival')
    .column('account_id')
    .execute();

  await db.schema
    .alterTable('addition')
    // Of a way in that was added, or the way in that was removed.
    .addColumn('identity_id', 'text')
    .addColumn('removed', sql`jsonb`)
    .execute();
};
