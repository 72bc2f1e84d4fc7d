import { type Kysely, sql } from 'kysely';

/** From when on each edition of a document is offered: processes of the release before may not know it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('agreement_edition')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('agreement_id', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('offered_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('agreement_edition_pkey', ['brand', 'agreement_id', 'version'])
    .execute();
};
