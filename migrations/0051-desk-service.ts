import { type Kysely, sql } from 'kysely';

/** How the service fares, and who asks to register clients. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('serving_process')
    // Null of a process of a release before this one.
    .addColumn('version', 'text')
    .addColumn('host', 'text')
    .addColumn('started_at', 'timestamptz')
    .execute();

  // At most one row for each process and minute; rows of a minute become those of an hour, which no process has.
  await db.schema
    .createTable('service_count')
    // minute, hour
    .addColumn('grain', 'text', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('process', 'text', (column) => column.notNull())
    // By name: {"code_sent sms 49": 3}
    .addColumn('counts', 'jsonb', (column) => column.notNull())
    .addPrimaryKeyConstraint('service_count_pkey', ['grain', 'at', 'process'])
    .execute();

  await db.schema
    .createTable('developer_request')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    .addColumn('why', 'text', (column) => column.notNull())
    // waiting, refused
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    // Of a refused one: until then its account asks for nothing.
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('developer_request_waiting')
    .on('developer_request')
    .columns(['state', 'created_at'])
    .execute();
  await db.schema
    .createIndex('developer_request_expiry')
    .on('developer_request')
    .column('expires_at')
    .execute();
};
