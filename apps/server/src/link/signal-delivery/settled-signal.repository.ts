import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';

/** A signal that a process has leased. */
interface Held {
  id: string;
  stream_id: string;
  account_id: string | null;
  attempts: number;
}

/** How a try ended, as developers see it. */
export interface Ended {
  outcome: string;
  status?: number | undefined;
  detail?: string | undefined;
  ms?: number | undefined;
}

const endedColumns = ({ outcome, status, detail, ms }: Ended) => ({
  outcome,
  outcome_status: status ?? null,
  outcome_detail: detail?.slice(0, 300) ?? null,
  outcome_ms: ms ?? null,
});

/** Settles a signal that this process has leased; answers whether it was still to be settled. */
export const updateSignalSettled = async (
  db: Kysely<Database>,
  { id, attempts }: Held,
  ended: Ended,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('signal')
    .set({ ...endedColumns(ended), settled_at: sql<Date>`now()` })
    .where('id', '=', id)
    // Another count means that the lease had run out and another process has leased the signal.
    .where('attempts', '=', attempts)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The next try may begin after a pause. What waits behind it is looked at again no sooner. */
export const updateSignalDue = async (
  db: Kysely<Database>,
  { id, stream_id, account_id, attempts }: Held,
  { inSeconds, ...ended }: Ended & { inSeconds: number },
): Promise<void> => {
  const due_at = secondsFromNow(inSeconds);
  await db
    .updateTable('signal')
    .set({ ...endedColumns(ended), due_at })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('settled_at', 'is', null)
    .execute();
  await db
    .updateTable('signal')
    .set({ due_at })
    .where('stream_id', '=', stream_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .where('id', '>', id)
    .where('event', '<>', 'stream-updated')
    .where('settled_at', 'is', null)
    .execute();
};

/** Gives a lease back as if there had been no try; the next one may begin in `inSeconds`. */
export const updateSignalUntried = async (
  db: Kysely<Database>,
  { id, attempts }: Held,
  inSeconds = 0,
): Promise<void> => {
  await db
    .updateTable('signal')
    .set({ due_at: secondsFromNow(inSeconds), attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('settled_at', 'is', null)
    .execute();
};

/** Notes that a receiver failed; it fails since the first time after the last success. What waits need not hurry then. */
export const noteFailing = async (db: Kysely<Database>, streamId: string): Promise<void> => {
  await db
    .updateTable('signal_stream')
    .set({ failing_since: sql<Date>`now()`, hurried_at: null })
    .where('id', '=', streamId)
    .where('failing_since', 'is', null)
    .execute();
};

/** Notes that a receiver took something; where it had failed, what waits for its next try is to hurry. */
export const noteTaken = async (
  db: Kysely<Database>,
  streamId: string,
  { verified, wasFailing = false }: { verified: boolean; wasFailing?: boolean },
): Promise<void> => {
  await db
    .updateTable('signal_stream')
    .set({ failing_since: null })
    .set(wasFailing ? { hurried_at: sql<Date>`now()` } : {})
    .set(verified ? { verified_at: sql<Date>`now()` } : {})
    .where('id', '=', streamId)
    .execute();
};
