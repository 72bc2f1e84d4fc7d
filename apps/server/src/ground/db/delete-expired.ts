import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { isCompatible } from './engine.ts';
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

/**
 * The condition of a statement that takes at most `limit` expired rows, the oldest first, of those that `also` holds
 * for. A compatible engine takes more of them where several expired at the same time.
 */
export const oldestExpired = (
  db: Kysely<Database>,
  { table, column = 'expires_at', now, keptSeconds = 0, limit }: ExpiredRows,
  also: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): RawBuilder<SqlBool> => {
  const at = sql.ref(column);
  const expired = sql<SqlBool>`
    ${at} < cast(${now} as timestamptz) - make_interval(secs => ${sql.lit(keptSeconds)}) and ${also}`;
  // The limit is in the text, since a prepared statement is planned without its parameters. The order keeps the plan
  // on the index: a sequential scan would read all pages that earlier batches emptied.
  const oldest = (columns: RawBuilder<unknown>) =>
    sql`select ${columns} from ${sql.table(table)} where ${expired} order by ${at} limit ${sql.lit(limit)}`;
  if (isCompatible(db))
    return sql<SqlBool>`${expired} and ${at} <= (select max(at) from (${oldest(sql`${at} as at`)}) as oldest)`;
  // SKIP LOCKED: the statement waits for no request.
  return sql<SqlBool>`ctid = any(array(${oldest(sql`ctid`)} for update skip locked))`;
};

/** Deletes at most `limit` expired rows that `also` holds for, the oldest first, and answers how many. */
export const deleteExpired = async (
  db: Kysely<Database>,
  rows: ExpiredRows,
  also?: RawBuilder<SqlBool>,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(rows.table)} where ${oldestExpired(db, rows, also)}`.execute(db);
  return Number(numAffectedRows ?? 0);
};
