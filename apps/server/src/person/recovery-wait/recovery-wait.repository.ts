import { sql } from 'kysely';
import { expiringRows } from '../../ground/db/expiring-rows.ts';

/**
 * Recoveries that wait, one for each kind of identifier of an account, the first due before others. Callers that put one
 * lock the account first.
 */
export const recoveryWaitRows = expiringRows({
  table: 'recovery_wait',
  columns: ['account_id', 'kind', 'value', 'stop_hash', 'requested_at', 'due_at', 'expires_at'],
  owner: 'account_id',
  endsAt: 'expires_at',
  key: ['account_id', 'kind'],
  order: sql`due_at`,
});
