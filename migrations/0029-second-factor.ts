import { type Kysely, sql } from 'kysely';

/** The second factor of an account: an authenticator app, its recovery codes, and what goes with them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('totp')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    // Null once it is on.
    .addColumn('session_uid', 'text')
    .addColumn('started_at', 'timestamptz', (column) => column.notNull())
    // Null until a right code switches it on.
    .addColumn('active_since', 'timestamptz')
    .addColumn('last_step', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('recovery_code')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('used_at', 'timestamptz')
    .addPrimaryKeyConstraint('recovery_code_pkey', ['account_id', 'code_hash'])
    .execute();

  await db.schema
    .createTable('pending_sign_in')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('interaction_hash', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('amr', 'jsonb', (column) => column.notNull())
    .addColumn('proven_by', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text', (column) => column.notNull())
    // What passed the factor, for a browser that did not get the answer.
    .addColumn('passed_by', 'jsonb')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('pending_sign_in_pkey', ['brand', 'interaction_hash'])
    .execute();

  await db.schema
    .createTable('trusted_browser')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('client_hints', 'jsonb')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('trusted_browser_one', ['account_id', 'device_hash', 'brand'])
    .execute();

  await db.schema
    .createTable('recovery_wait')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('phone', 'email')`))
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('stop_hash', 'text', (column) => column.notNull().unique())
    .addColumn('requested_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_wait_pkey', ['account_id', 'kind'])
    .execute();

  for (const [table, column] of [
    ['pending_sign_in', 'expires_at'],
    ['pending_sign_in', 'account_id'],
    ['trusted_browser', 'expires_at'],
    ['recovery_wait', 'expires_at'],
  ] as const)
    await db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute();
};
