import { type Kysely, sql } from 'kysely';

const createAccounts = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('nickname', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status in ('active', 'disabled')`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('account_identifier')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('phone', 'email')`))
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('display', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('verified_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_identifier_pkey', ['kind', 'value'])
    .addUniqueConstraint('account_identifier_account_id_kind_key', ['account_id', 'kind'])
    .execute();

  await db.schema
    .createTable('password')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('agreement_acceptance')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('agreement_id', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('accepted_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('agreement_acceptance_account_id_idx')
    .on('agreement_acceptance')
    .column('account_id')
    .execute();

  await db.schema
    .createTable('device_account')
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('last_used_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_account_pkey', ['device_hash', 'account_id'])
    .execute();
  for (const column of ['account_id', 'last_used_at']) {
    await db.schema.createIndex(`device_account_${column}_idx`).on('device_account').column(column).execute();
  }
};

const createVerification = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('verification_code')
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('consumed_at', 'timestamptz')
    .addPrimaryKeyConstraint('verification_code_pkey', ['purpose', 'identifier', 'device_hash'])
    .execute();

  await db.schema
    .createTable('ticket')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('rate_limit')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();

  for (const table of ['verification_code', 'ticket', 'rate_limit']) {
    await db.schema.createIndex(`${table}_expires_at_idx`).on(table).column('expires_at').execute();
  }
};

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await createAccounts(db);
  await createVerification(db);
};
