import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('backchannel_logout')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('sid', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('backchannel_logout_due').on('backchannel_logout').column('due_at').execute();
  await db.schema
    .createIndex('backchannel_logout_expiry')
    .on('backchannel_logout')
    .column('expires_at')
    .execute();
  await db.schema
    .createIndex('backchannel_logout_client')
    .on('backchannel_logout')
    .columns(['client_id', 'due_at'])
    .execute();

  // Of one transaction the notices are alike, and alike ones are told once.
  await sql`
    create trigger tell_change after insert on backchannel_logout
    for each row execute function tell_change('brand')`.execute(db);
};
