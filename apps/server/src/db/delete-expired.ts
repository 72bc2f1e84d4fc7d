import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { SqlTime } from './sql-time.ts';

export interface ExpiredRows {
  table: keyof Database;
  /** The column that decides; it needs an index. `expires_at` by default. */
  column?: string;
  now: SqlTime;
  /** Rows are kept for so long after that time. */
  keptSeconds?: number;
  limit: number;
}

/** Deletes at most `limit` expired rows, the oldest first, and answers how many. */
export const deleteExpired = async (
  db: Kysely<Database>,
  { table, column = 'expires_at', now, keptSeconds = 0, limit }: ExpiredRows,
): Promise<number> => {
  // SKIP LOCKED: the statement waits for no request. The order keeps the plan on the index: a sequential scan
  // would read all pages that earlier batches emptied. The limit is in the text, since a prepared statement is
  // planned without its parameters.
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < cast(${now} as timestamptz) - make_interval(secs => ${sql.lit(keptSeconds)})
      order by ${sql.ref(column)} limit ${sql.lit(limit)} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
};
