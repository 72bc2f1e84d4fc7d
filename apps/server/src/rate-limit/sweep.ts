import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deleteExpired, type SqlTime } from '../db/delete-expired.ts';

/** A code that is over still tells its browser so for a while. */
const CODE_KEPT_SECONDS = 3600;

/** Deletes at most `limit` expired codes, tickets and counters each, and answers how many went. */
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
