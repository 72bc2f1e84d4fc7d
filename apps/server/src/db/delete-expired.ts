import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

export interface ExpiredRows {
  table: keyof Database;
  /** The timestamp that decides, `expires_at` unless told; it needs an index. */
  column?: string;
  before: Date;
  limit: number;
}

/** Deletes at most `limit` rows that are over and answers how many; a full batch means there may be more. */
export const deleteExpired = async (
  db: Kysely<Database>,
  { table, column = 'expires_at', before, limit }: ExpiredRows,
): Promise<number> => {
  // SKIP LOCKED: sweeps of several processes share the work, and none waits for a request.
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before}
      limit ${limit} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
};
