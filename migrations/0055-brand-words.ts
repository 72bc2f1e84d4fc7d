import { type Kysely, sql } from 'kysely';

/** What brands say in place of the words of their file: each change is a version. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('brand_words')
    .addColumn('brand', 'text', (column) => column.notNull())
    // 1 for the first of a brand, and one more for each that follows.
    .addColumn('version', 'integer', (column) => column.notNull())
    // All of them, by language and key.
    .addColumn('words', 'jsonb', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('brand_words_pkey', ['brand', 'version'])
    .execute();
  await sql`
    create trigger tell_change after insert on brand_words
    for each row execute function tell_change('brand')`.execute(db);
};
