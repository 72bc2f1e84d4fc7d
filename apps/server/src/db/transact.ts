import { type Kysely, sql } from 'kysely';
import { askPatiently } from './ask-patiently.ts';
import type { Database } from './database.ts';
import { isOutage, OutageError } from './outage.ts';

/** The database was lost during a commit, and afterwards did not answer whether it had committed. */
export class UndecidedError extends OutageError {}

/** Asks whether a transaction was committed; undefined where the database does not answer. */
const findFate = (db: Kysely<Database>, id: string): Promise<boolean | undefined> =>
  askPatiently(async () => {
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(cast(${id} as xid8)) as status`.execute(db);
    const status = rows[0]?.status;
    // `in progress` until the server notices that the connection is gone.
    return status === 'committed' || status === 'aborted' ? status === 'committed' : undefined;
  });

/**
 * Runs a transaction. Where the database is lost during the commit, it is asked by another connection whether it
 * committed: then the transaction has succeeded.
 * @throws UndecidedError where the database does not answer; else the error of the transaction, which wrote nothing
 */
export const transact = async <T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> => {
  let done: { id: string; result: T } | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      const result = await work(trx);
      const { rows } = await sql<{ id: string }>`select cast(pg_current_xact_id() as text) as id`.execute(
        trx,
      );
      done = { id: rows[0]?.id ?? '', result };
      return result;
    });
  } catch (error) {
    if (!done || !isOutage(error)) throw error;
    const isCommitted = await findFate(db, done.id);
    if (isCommitted) return done.result;
    if (isCommitted === undefined) throw new UndecidedError('a commit was not answered', { cause: error });
    throw error;
  }
};
