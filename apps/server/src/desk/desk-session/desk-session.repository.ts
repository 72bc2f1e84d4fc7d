import { expiringRows } from '../../ground/db/expiring-rows.ts';

/** Sessions of the desk, one for each session of the portal. */
export const deskSessionRows = expiringRows({
  table: 'desk_session',
  columns: ['brand', 'session_uid', 'account_id', 'started_at', 'expires_at'],
  owner: 'account_id',
  endsAt: 'expires_at',
  key: ['brand', 'session_uid'],
});
