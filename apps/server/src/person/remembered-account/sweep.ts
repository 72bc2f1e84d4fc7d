import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deleteExpired } from '../../ground/db/delete-expired.ts';
import type { SqlTime } from '../../ground/db/sql-time.ts';

/** Browsers keep no cookie for longer than 400 days (RFC 6265bis section 5.5), so none is asked for after that. */
const REMEMBERED_SECONDS = 400 * 86_400;

/** Forgets at most `limit` accounts on browsers that have not used them for 400 days. */
export const sweepRememberedAccounts = (db: Kysely<Database>, now: SqlTime, limit: number): Promise<number> =>
  deleteExpired(db, {
    table: 'device_account',
    column: 'last_used_at',
    now,
    keptSeconds: REMEMBERED_SECONDS,
    limit,
  });
