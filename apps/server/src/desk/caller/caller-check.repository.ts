import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { CallerCheckRow } from './caller-check.table.ts';

const columns = [
  'account_id',
  'staff_id',
  'way',
  'contact',
  'answer_hash',
  'digits',
  'tries_left',
  'state',
  'expires_at',
] as const;

/** Checks of who is calling. They are known for an hour after their end, so that a page says that it is over. */
export const callerCheckRows = expiringRows({
  table: 'caller_check',
  columns,
  owner: 'account_id',
  endsAt: 'expires_at',
  key: ['account_id', 'staff_id'],
  keptSeconds: 3_600,
});

/**
 * Counts a try, and settles the check: a right answer counts until `until`, the last wrong one ends it. One statement, so
 * that of answers at the same time no more are compared than there are tries. Undefined where none is due.
 */
export const updateAnswered = async (
  db: Kysely<Database>,
  whose: Pick<CallerCheckRow, 'account_id' | 'staff_id'>,
  { hashes, now, until }: { hashes: readonly string[]; now: Date; until: Date },
): Promise<CallerCheckRow | undefined> => {
  const isRight = sql<boolean>`answer_hash = any(cast(${hashes} as text[]))`;
  return db
    .updateTable('caller_check')
    .set({
      tries_left: sql`tries_left - 1`,
      state: sql`case when ${isRight} then 'right' when tries_left <= 1 then 'wrong' else 'asked' end`,
      expires_at: sql`case when ${isRight} then cast(${until} as timestamptz) else expires_at end`,
    })
    .where('account_id', '=', whose.account_id)
    .where('staff_id', '=', whose.staff_id)
    .where('state', '=', 'asked')
    .where('tries_left', '>', 0)
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst();
};
