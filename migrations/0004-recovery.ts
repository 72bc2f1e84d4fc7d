import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('account')
    .addColumn('session_epoch', 'integer', (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute();
};
