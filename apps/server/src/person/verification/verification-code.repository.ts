import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { CodeBinding } from './secrets.ts';
import { type VerificationCodeRow, verificationCodeColumns } from './verification-code.table.ts';

/** Codes: one for each purpose, identifier and browser. How long one works is a setting. */
export const verificationCodeRows = expiringRows({
  table: 'verification_code',
  columns: verificationCodeColumns,
  owner: 'identifier',
  endsAt: 'expires_at',
  // Its browser hears that it expired.
  keptSeconds: 3600,
  key: ['purpose', 'identifier', 'device_hash'],
});

/**
 * Counts a try, compares and consumes in one statement, so that parallel tries queue at the row: a right code is taken
 * once, and no try is compared beyond `maxTries`. Undefined when there is no code that may be tried.
 */
export const updateOnTry = async (
  db: Kysely<Database>,
  { purpose, identifier, browserHash }: CodeBinding & { purpose: VerificationCodeRow['purpose'] },
  { codeHashes, maxTries, now }: { codeHashes: readonly string[]; maxTries: number; now: Date },
): Promise<{ right: boolean; tries: number } | undefined> => {
  const row = await db
    .updateTable('verification_code')
    .set({
      tries: sql`tries + 1`,
      consumed_at: sql`case when code_hash = any(cast(${codeHashes} as text[])) then ${now}::timestamptz end`,
    })
    .where('purpose', '=', purpose)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', browserHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', maxTries)
    .returning(['consumed_at', 'tries'])
    .executeTakeFirst();
  return row && { right: row.consumed_at !== null, tries: row.tries };
};
