import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** What became of a signal, as developers see it. */
export interface DeliveredSignal {
  id: string;
  jti: string;
  event: string;
  created_at: Date;
  settled_at: Date | null;
  attempts: number;
  outcome: string | null;
  outcome_status: number | null;
  outcome_detail: string | null;
  outcome_ms: number | null;
}

/** The last signals of a stream, the newest first. */
export const listDeliveredSignals = (
  db: Kysely<Database>,
  streamId: string,
  limit: number,
): Promise<DeliveredSignal[]> =>
  db
    .selectFrom('signal')
    .select(['id', 'jti', 'event', 'created_at', 'settled_at', 'attempts'])
    .select(['outcome', 'outcome_status', 'outcome_detail', 'outcome_ms'])
    .where('stream_id', '=', streamId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Rows of one statement: a statement has five seconds. */
const BATCH = 1_000;

/** Which settled signals of a stream are sent again: one, or those since a time, a batch at a time behind an id. */
type Again = { jti: string } | { since: Date; after: string };

/**
 * Lets settled signals of a stream be sent again, with the ids that they have, in their order. Answers how many, and the
 * id behind which there may be more.
 * @param isAllowed which of them may be sent at all
 */
export const updateSignalsAgain = async (
  db: Kysely<Database>,
  streamId: string,
  which: Again,
  isAllowed: Expression<SqlBool>,
): Promise<{ count: number; after: string | undefined }> => {
  const batch = db
    .selectFrom('signal')
    .select('id')
    .where('stream_id', '=', streamId)
    .where('settled_at', 'is not', null)
    .where('event', '<>', 'stream-updated')
    .where(isAllowed)
    .where(
      'jti' in which
        ? sql<SqlBool>`jti = ${which.jti}`
        : sql<SqlBool>`created_at >= ${which.since} and id > ${which.after}`,
    )
    .orderBy('id')
    .limit(sql.lit(BATCH));
  const rows = await db
    .updateTable('signal')
    .set({ settled_at: null, due_at: sql<Date>`now()`, attempts: 0, outcome: null, outcome_status: null })
    .set({ outcome_detail: null, outcome_ms: null })
    .where(sql<SqlBool>`id = any(array(${batch}))`)
    .where('settled_at', 'is not', null)
    .returning('id')
    .execute();
  const ids = rows.map(({ id }) => BigInt(id)).toSorted((one, other) => (one < other ? -1 : 1));
  return { count: ids.length, after: ids.at(-1)?.toString() };
};
