import { createHash } from 'node:crypto';
import type { StaffRecordRow } from './record.table.ts';

/** What the first entry follows. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * The hash of an entry: SHA-256, in hexadecimal, of its columns in one order as JSON. The hash of the entry before is
 * among them, so that no entry can be changed, left out or put between others unnoticed.
 */
export const hashOf = (row: Omit<StaffRecordRow, 'hash'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        row.entry,
        row.at.toISOString(),
        row.actor_kind,
        row.actor_account,
        row.actor_name,
        row.actor_role,
        row.action,
        row.account_id,
        row.subject,
        row.reason,
        row.origin,
        row.outcome,
        row.previous_hash,
      ]),
    )
    .digest('hex');
