import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('user_handle')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('handle', 'text', (column) => column.notNull().unique())
    .execute();
  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('aaguid', 'text', (column) => column.notNull())
    .addColumn('backup_eligible', 'boolean', (column) => column.notNull())
    .addColumn('backed_up', 'boolean', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('warned_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('passkey_account').on('passkey').column('account_id').execute();
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('challenge_hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('register', 'sign-in', 'step-up', 'recovery')`),
    )
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('browser_hash', 'text', (column) => column.notNull())
    .addColumn('bound_to', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('spent_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('passkey_challenge_expiry')
    .on('passkey_challenge')
    .column('expires_at')
    .execute();
  await db.schema
    .createIndex('passkey_challenge_account')
    .on('passkey_challenge')
    .column('account_id')
    .execute();
  await db.schema
    .createTable('passkey_offer')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('declined_at', 'timestamptz', (column) => column.notNull())
    .execute();
};
