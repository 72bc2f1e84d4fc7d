import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

export interface ExpiredRows {
  table: keyof Database;
  /** The timestamp that decides, `expires_at` unless told; it needs an index. */
  column?: string;
  before: Date;
  limit: number;
}

/** Deletes at most `limit` rows that are over, the oldest first, and answers how many. */
export const deleteExpired = async (
  db: Kysely<Database>,
  { table, column = 'expires_at', before, limit }: ExpiredRows,
): Promise<number> => {
  // SKIP LOCKED: none waits for a request. The order keeps the plan on the index: a sequential scan would
  // read from the first page what earlier batches left empty. The limit is in the text, since a prepared
  // statement is planned without its parameters.
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before}
      order by ${sql.ref(column)} limit ${sql.lit(limit)} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
};
