import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deleteExpired } from '../db/delete-expired.ts';

/** A code that is over still tells its browser so for a while. */
const CODE_KEPT_SECONDS = 3600;

/** Deletes at most `limit` expired codes, tickets and counters each, and answers how many went. */
export const sweepVerification = async (db: Kysely<Database>, now: Date, limit: number): Promise<number> => {
  const codesBefore = new Date(now.getTime() - CODE_KEPT_SECONDS * 1000);
  const codes = await deleteExpired(db, { table: 'verification_code', before: codesBefore, limit });
  const tickets = await deleteExpired(db, { table: 'ticket', before: now, limit });
  const counters = await deleteExpired(db, { table: 'rate_limit', before: now, limit });
  return codes + tickets + counters;
};
