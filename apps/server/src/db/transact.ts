import { type Kysely, sql } from 'kysely';
import { askPatiently } from './ask-patiently.ts';
import type { Database } from './database.ts';
import { isOutage, OutageError } from './outage.ts';

/** The database was lost while it committed, and did not tell afterwards whether it had. */
export class UndecidedError extends OutageError {}

/** Whether a transaction was committed; undefined where nobody tells. */
const findFate = (db: Kysely<Database>, id: string): Promise<boolean | undefined> =>
  askPatiently(async () => {
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(${id}::xid8) as status`.execute(db);
    const status = rows[0]?.status;
    // In progress until the server notices that nobody waits for it any more.
    return status === 'committed' || status === 'aborted' ? status === 'committed' : undefined;
  });

/**
 * Runs a transaction. Where the database is lost while it commits, another connection is asked whether it did:
 * what was written counts as written.
 * @throws UndecidedError where nobody tells; else what the transaction threw, and nothing was written then
 */
export const transact = async <T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> => {
  let done: { id: string; result: T } | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      const result = await work(trx);
      const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(trx);
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
