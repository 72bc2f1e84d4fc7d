import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('client')
    .addColumn('source', 'text', (column) => column.notNull().defaultTo('file'))
    // The client that made it, where a machine did.
    .addColumn('made_by', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createIndex('client_made_by')
    .on('client')
    .columns(['made_by', 'created_at desc', 'id'])
    .where(sql.ref('made_by'), 'is not', null)
    .execute();

  await db.schema
    .createTable('client_secret')
    .addColumn('client_id', 'text', (column) => column.notNull().references('client.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz')
    .addColumn('last_used_at', 'timestamptz')
    .addPrimaryKeyConstraint('client_secret_pkey', ['client_id', 'name'])
    .execute();
  await sql`
    insert into client_secret (client_id, name, hash, created_at)
    select id, 'registered', metadata ->> 'client_secret', updated_at from client where metadata ? 'client_secret'
  `.execute(db);
  await sql`update client set metadata = metadata - 'client_secret' where metadata ? 'client_secret'`.execute(
    db,
  );
  // A secret is read with its client. Its use is no change of it.
  await sql`
    create trigger tell_change after insert or update of hash, expires_at or delete on client_secret
    for each row execute function tell_change('client_id', 'client')`.execute(db);

  await db.schema
    .createTable('client_member')
    .addColumn('client_id', 'text', (column) => column.notNull().references('client.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('added_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('client_member_pkey', ['client_id', 'account_id'])
    .execute();
  await db.schema.createIndex('client_member_account').on('client_member').column('account_id').execute();
  // Whether a client has a member decides how the engine sees it.
  await sql`
    create trigger tell_change after insert or delete on client_member
    for each row execute function tell_change('client_id', 'client')`.execute(db);

  // The history outlives its client.
  await db.schema
    .createTable('client_change')
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`clock_timestamp()`))
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('changes', 'jsonb', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('client_change_client')
    .on('client_change')
    .columns(['client_id', 'id desc'])
    .execute();
  await db.schema.createIndex('client_change_at').on('client_change').column('at').execute();

  await db.schema
    .createTable('developer')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('allowed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
};
