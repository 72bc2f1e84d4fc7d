import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // What proved that the person is there; null where an earlier release wrote the row.
  for (const table of ['session', 'step_up'])
    await db.schema.alterTable(table).addColumn('proven_by', 'text').execute();
  await db.schema.alterTable('password').addColumn('doubted_at', 'timestamptz').execute();
  await db.schema
    .alterTable('device_account')
    .addColumn('kind', 'text')
    .addColumn('value', 'text')
    .addColumn('display', 'text')
    .execute();

  await db.schema
    .createTable('identifier_change')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('phone', 'email')`))
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('display', 'text', (column) => column.notNull())
    .addColumn('bound_at', 'timestamptz', (column) => column.notNull())
    .addColumn('new_value', 'text')
    .addColumn('new_display', 'text')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('undo_hash', 'text', (column) => column.notNull().unique())
    .addColumn('requested_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull())
    .addColumn('done_at', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('identifier_change_due_at_idx')
    .on('identifier_change')
    .column('due_at')
    .execute();
  await db.schema
    .createIndex('identifier_change_account_id_idx')
    .on('identifier_change')
    .column('account_id')
    .execute();
  await db.schema
    .createIndex('identifier_change_one_waits')
    .unique()
    .on('identifier_change')
    .columns(['account_id', 'kind'])
    .where(sql.ref('done_at'), 'is', null)
    .execute();
};
