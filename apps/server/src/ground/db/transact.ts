import { type Kysely, sql } from 'kysely';
import { askPatiently } from './ask-patiently.ts';
import { isConflict, tryAgain } from './conflict.ts';
import type { Database } from './database.ts';
import { isCompatible } from './engine.ts';
import { isOutage, OutageError } from './outage.ts';

/** The database was lost during a commit, and afterwards did not answer whether it had committed. */
export class UndecidedError extends OutageError {}

/** A transaction. A server that was promoted gives its number to another one, on a timeline of its own. */
interface TransactionId {
  id: string;
  timeline: string;
}

const timeline = sql<string>`left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

/** Asks whether a transaction was committed; undefined where the database does not answer, or cannot know. */
const findFate = (db: Kysely<Database>, own: TransactionId): Promise<boolean | undefined> =>
  askPatiently(async () => {
    // CASE asks in turn: a standby has no timeline of its own, and each server refuses numbers of the future.
    const { rows } = await sql<{ status: string | null }>`
      select case when pg_is_in_recovery() then null
        when ${timeline} = ${own.timeline} then pg_xact_status(cast(${own.id} as xid8)) end as status`.execute(
      db,
    );
    const status = rows[0]?.status;
    // `in progress` until the server notices that the connection is gone.
    return status === 'committed' || status === 'aborted' ? status === 'committed' : undefined;
  });

const readOwnId = async (trx: Kysely<Database>): Promise<TransactionId | undefined> => {
  if (isCompatible(trx)) return undefined;
  const { rows } = await sql<TransactionId>`
    select cast(pg_current_xact_id() as text) as id, ${timeline} as timeline`.execute(trx);
  return rows[0];
};

/**
 * Runs a transaction, and runs it anew while others are in its way: `work` has no effect but its writes. Given a
 * transaction it joins that: whoever opened it runs it anew, and its commit is the commit of both.
 * @throws the error of the transaction, which wrote nothing unless the database was lost during the commit
 */
export const inTransaction = <T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db) : tryAgain(() => db.transaction().execute(work)));

/**
 * Runs a transaction as `inTransaction` does. Where the database is lost during the commit, it is asked by another
 * connection whether it committed: then the transaction has succeeded.
 * @throws UndecidedError where the database does not answer; else the error of the transaction, which wrote nothing
 */
export const transact = async <T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> => {
  if (db.isTransaction) return work(db);
  let done: { own: TransactionId | undefined; result: T } | undefined;
  try {
    return await inTransaction(db, async (trx) => {
      done = undefined;
      const result = await work(trx);
      done = { own: await readOwnId(trx), result };
      return result;
    });
  } catch (error) {
    if (!done || !isOutage(error) || isConflict(error)) throw error;
    const isCommitted = done.own && (await findFate(db, done.own));
    if (isCommitted) return done.result;
    if (isCommitted === undefined) throw new UndecidedError('a commit was not answered', { cause: error });
    throw error;
  }
};
