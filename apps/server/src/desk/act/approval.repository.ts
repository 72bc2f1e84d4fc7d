import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { DeskApprovalRow } from './approval.table.ts';

const columns = ['id', 'account_id', 'asked_by', 'reason', 'created_at', 'expires_at'] as const;

/** What waits for a second operator: at most one for each account. */
export const approvalRows = expiringRows({
  table: 'desk_approval',
  columns,
  owner: 'account_id',
  endsAt: 'expires_at',
  key: ['account_id'],
  seconds: 86_400,
  order: sql`created_at, id`,
});

/** All that waits, the oldest first. */
export const listApprovals = (db: Kysely<Database>, now: Date, limit: number): Promise<DeskApprovalRow[]> =>
  db
    .selectFrom('desk_approval')
    .select(columns)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
