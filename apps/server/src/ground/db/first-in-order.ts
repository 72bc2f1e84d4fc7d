import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

export interface RowsInOrder {
  table: keyof Database;
  /**
   * The columns of the primary key, all of them. The rows are locked in its order, so that of two statements that meet
   * one waits for the other.
   */
  key: readonly string[];
  where: RawBuilder<SqlBool>;
  /** How many rows are taken at most; all by default. */
  limit?: number;
}

/** The condition of a statement that takes the first rows that `where` holds for, and locks them one after another. */
export const firstInOrder = ({ table, key, where, limit }: RowsInOrder): RawBuilder<SqlBool> => {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // A materialized CTE is computed once. A planner that takes the table for empty runs a plain subselect once for each
  // row; each run chooses other rows, together more than `limit`.
  return sql<SqlBool>`(${columns}) in (
    with chosen as materialized (
      select ${columns} from ${sql.table(table)} where ${where} order by ${columns}
      ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`} for update
    )
    select ${columns} from chosen
  )`;
};
