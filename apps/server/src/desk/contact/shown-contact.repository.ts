import { expiringRows } from '../../ground/db/expiring-rows.ts';

/** Contacts that staff may read, each for 30 minutes. */
export const shownContactRows = expiringRows({
  table: 'shown_contact',
  columns: ['account_id', 'staff_id', 'value', 'expires_at'],
  owner: 'account_id',
  endsAt: 'expires_at',
  key: ['account_id', 'staff_id', 'value'],
  seconds: 1_800,
});
