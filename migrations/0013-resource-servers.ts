import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('resource_server')
    .addColumn('identifier', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text')
    .addColumn('metadata', 'jsonb', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await sql`
    create trigger tell_change after insert or update or delete on resource_server
    for each row execute function tell_change('identifier')`.execute(db);
};
