import { type Kysely, sql } from 'kysely';

/** What happened to accounts, what people say was not theirs, and notices of browsers never seen. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('activity')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('brand', 'text')
    .addColumn('session_uid', 'text')
    .addColumn('client_id', 'text')
    .addColumn('user_agent', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('client_hints', 'jsonb')
    .addColumn('time_zone', 'text')
    // Names the row to which repetitions within an hour are added; null where each stands alone.
    .addColumn('fold', 'text')
    .addColumn('detail', 'jsonb')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createIndex('activity_account_idx')
    .on('activity')
    .columns(['account_id', 'created_at desc', 'id'])
    .execute();
  await db.schema.createIndex('activity_created_at_idx').on('activity').column('created_at').execute();
  await sql`create unique index activity_fold_idx on activity (account_id, fold) where fold is not null`.execute(
    db,
  );

  await db.schema
    .createTable('activity_count')
    .addColumn('activity_id', 'text', (column) =>
      column.primaryKey().references('activity.id').onDelete('cascade'),
    )
    .addColumn('count', 'integer', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('activity_dispute')
    .addColumn('activity_id', 'text', (column) =>
      column.primaryKey().references('activity.id').onDelete('cascade'),
    )
    .addColumn('disputed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();

  await db.schema
    .createTable('sign_in_notice')
    .addColumn('activity_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('session_uid', 'text', (column) => column.notNull())
    .addColumn('device_hash', 'text', (column) => column.notNull())
    // False until then, and where it is left out because enough were sent.
    .addColumn('sent', 'boolean', (column) => column.notNull().defaultTo(false))
    // Null once the link is used.
    .addColumn('token_hash', 'text', (column) => column.unique())
    // Null until it is sent or left out.
    .addColumn('decided_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await sql`create index sign_in_notice_due_idx on sign_in_notice (expires_at) where decided_at is null`.execute(
    db,
  );
  for (const column of ['expires_at', 'account_id'] as const)
    await db.schema.createIndex(`sign_in_notice_${column}_idx`).on('sign_in_notice').column(column).execute();

  // Browsers that are remembered today have signed in; a row of tomorrow says so once its session is made.
  await sql`alter table device_account add column has_signed_in boolean not null default true`.execute(db);
  await sql`alter table device_account alter column has_signed_in set default false`.execute(db);
};
