import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import type { DeskApprovalRow } from './approval.table.ts';

/** Whether the second factor of the account is the one that the row is about: one that is on since later is another. */
export const hasFactorOf = async (
  db: Kysely<Database>,
  { account_id, created_at }: DeskApprovalRow,
): Promise<boolean> => {
  const since = await findActiveSince(db, account_id);
  return since !== undefined && since <= created_at;
};
