import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deleteExpired } from '../db/delete-expired.ts';
import type { SqlTime } from '../db/sql-time.ts';

/** An expired code is kept for a while, so that its browser hears that it expired. */
const CODE_KEPT_SECONDS = 3600;

/** Deletes expired codes, tickets and counters, at most `limit` of each. Answers how many rows. */
export const sweepVerification = async (
  db: Kysely<Database>,
  now: SqlTime,
  limit: number,
): Promise<number> => {
  const keptSeconds = CODE_KEPT_SECONDS;
  const codes = await deleteExpired(db, { table: 'verification_code', now, keptSeconds, limit });
  const tickets = await deleteExpired(db, { table: 'ticket', now, limit });
  const counters = await deleteExpired(db, { table: 'rate_limit', now, limit });
  return codes + tickets + counters;
};
