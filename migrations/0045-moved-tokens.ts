import { type Kysely, sql } from 'kysely';

/** Refresh tokens of other servers that an import took over once: a later run makes no link of them again. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('moved_token')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('id_hash', 'text', (column) => column.notNull())
    .addColumn('moved_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('moved_token_pkey', ['brand', 'id_hash'])
    .execute();
};
