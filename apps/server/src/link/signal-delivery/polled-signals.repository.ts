import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** Whether more waits in a stream than these. */
export const hasOtherWaiting = async (
  db: Kysely<Database>,
  streamId: string,
  ids: readonly string[],
): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    select id from signal
    where stream_id = ${streamId} and settled_at is null and id <> all(cast(${ids} as bigint[]))
    limit 1`.execute(db);
  return rows.length > 0;
};

/** Settles signals that the receiver of this stream acknowledged; answers their events. Others are not of the stream. */
export const settleAcknowledged = async (
  db: Kysely<Database>,
  streamId: string,
  jtis: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ event: string }>`
    update signal set settled_at = now(), outcome = 'told', attempts = attempts + 1
    where jti = any(cast(${jtis} as text[])) and stream_id = ${streamId} and settled_at is null
    returning event`.execute(db);
  return rows.map(({ event }) => event);
};

/** Settles signals that the receiver of this stream refused, and says why; answers how many there were. */
export const settleRefused = async (
  db: Kysely<Database>,
  streamId: string,
  refused: readonly { jti: string; detail: string }[],
): Promise<number> => {
  const { numAffectedRows } = await sql`
    update signal set settled_at = now(), outcome = 'refused', attempts = attempts + 1, outcome_detail = said.detail
    from jsonb_to_recordset(cast(${JSON.stringify(refused)} as jsonb)) as said(jti text, detail text)
    where signal.jti = said.jti and signal.stream_id = ${streamId} and signal.settled_at is null`.execute(db);
  return Number(numAffectedRows ?? 0n);
};
