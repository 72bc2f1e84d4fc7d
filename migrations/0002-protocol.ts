import { type Kysely, sql } from 'kysely';

const brandAndHash = ['brand', 'id_hash'] as const;

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('client')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text')
    .addColumn('metadata', 'jsonb', (column) => column.notNull())
    .addColumn('first_party', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();

  await db.schema
    .createTable('signing_key')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('alg', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('sealed_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createIndex('signing_key_one_current')
    .unique()
    .on('signing_key')
    .column('alg')
    .where(sql.ref('status'), '=', 'current')
    .execute();

  await db.schema
    .createTable('session')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('id_hash', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('payload', 'jsonb', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('last_accessed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('session_pkey', ['brand', 'uid'])
    .execute();
  await db.schema
    .createIndex('session_id_hash')
    .unique()
    .on('session')
    .columns(['brand', 'id_hash'])
    .execute();
  await db.schema
    .createIndex('session_account')
    .on('session')
    .columns(['account_id', 'created_at desc', 'uid'])
    .where('account_id', 'is not', null)
    .execute();
  await db.schema.createIndex('session_expiry').on('session').column('expires_at').execute();

  await db.schema
    .createTable('interaction')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('id_hash', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('payload', 'jsonb', (column) => column.notNull())
    .addColumn('switched_at', 'timestamptz')
    .addColumn('finished_at', 'timestamptz')
    .addColumn('destroyed_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('interaction_pkey', [...brandAndHash])
    .execute();
  await db.schema.createIndex('interaction_expiry').on('interaction').column('expires_at').execute();

  await db.schema
    .createTable('authorization_grant')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('session_uid', 'text')
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('payload', 'jsonb', (column) => column.notNull())
    .addColumn('has_refresh_token', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('last_accessed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('authorization_grant_pkey', ['brand', 'id'])
    .execute();
  await sql`alter table authorization_grant add constraint authorization_grant_session
    foreign key (brand, session_uid) references session (brand, uid) on delete set null (session_uid)`.execute(
    db,
  );
  await db.schema
    .createIndex('authorization_grant_account')
    .on('authorization_grant')
    .columns(['account_id', 'created_at desc', 'id'])
    .execute();
  await db.schema
    .createIndex('authorization_grant_session_uid')
    .on('authorization_grant')
    .columns(['brand', 'session_uid'])
    .execute();
  await db.schema
    .createIndex('authorization_grant_client')
    .on('authorization_grant')
    .column('client_id')
    .execute();
  await db.schema
    .createIndex('authorization_grant_expiry')
    .on('authorization_grant')
    .column('expires_at')
    .execute();

  for (const table of ['authorization_code', 'access_token', 'refresh_token']) {
    await db.schema
      .createTable(table)
      .addColumn('brand', 'text', (column) => column.notNull())
      .addColumn('id_hash', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('grant_id', 'text', (column) => column.notNull())
      .addColumn('payload', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('consumed_at', 'timestamptz')
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_pkey`, [...brandAndHash])
      .addForeignKeyConstraint(
        `${table}_grant`,
        ['brand', 'grant_id'],
        'authorization_grant',
        ['brand', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await db.schema.createIndex(`${table}_grant_id`).on(table).columns(['brand', 'grant_id']).execute();
    await db.schema.createIndex(`${table}_expiry`).on(table).column('expires_at').execute();
  }
  await db.schema
    .alterTable('refresh_token')
    .addColumn('predecessor_hash', 'text')
    .addColumn('sealed_value', 'text')
    .addColumn('first_used_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('refresh_token_predecessor')
    .unique()
    .on('refresh_token')
    .columns(['brand', 'predecessor_hash'])
    .where('predecessor_hash', 'is not', null)
    .execute();

  await db.schema
    .createTable('oidc_model')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('id_hash', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('grant_id', 'text')
    .addColumn('uid', 'text')
    .addColumn('user_code', 'text')
    .addColumn('payload', 'jsonb', (column) => column.notNull())
    .addColumn('consumed_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('oidc_model_pkey', ['brand', 'model', 'id_hash'])
    .addForeignKeyConstraint(
      'oidc_model_grant',
      ['brand', 'grant_id'],
      'authorization_grant',
      ['brand', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('oidc_model_user_code')
    .unique()
    .on('oidc_model')
    .columns(['brand', 'user_code'])
    .where('user_code', 'is not', null)
    .execute();
  await db.schema
    .createIndex('oidc_model_grant_id')
    .on('oidc_model')
    .columns(['brand', 'grant_id'])
    .where('grant_id', 'is not', null)
    .execute();
  await db.schema.createIndex('oidc_model_expiry').on('oidc_model').column('expires_at').execute();

  await db.schema
    .createTable('remembered_consent')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('remembered_consent_pkey', ['brand', 'account_id', 'client_id'])
    .execute();
};
