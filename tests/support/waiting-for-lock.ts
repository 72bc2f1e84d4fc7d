import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';

/** Resolves once a statement of the same database waits for a lock, or as many as are named. */
// biome-ignore lint/suspicious/noExplicitAny: any database
export const untilLockWaits = (db: Kysely<any>, statements = 1): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    })
    .toBeGreaterThanOrEqual(statements);
