import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { CodeBinding } from './secrets.ts';
import {
  type NewVerificationCodeRow,
  type VerificationCodeRow,
  verificationCodeColumns,
} from './verification-code.table.ts';

/** Stores a code. It replaces an earlier code of the same purpose, identifier and browser. */
export const upsertVerificationCode = async (
  db: Kysely<Database>,
  row: NewVerificationCodeRow,
): Promise<void> => {
  const { purpose, identifier, device_hash, ...changed } = row;
  await db
    .insertInto('verification_code')
    .values({ purpose, identifier, device_hash, ...changed })
    .onConflict((conflict) => conflict.columns(['purpose', 'identifier', 'device_hash']).doUpdateSet(changed))
    .execute();
};

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

export const findVerificationCode = async (
  db: Kysely<Database>,
  { purpose, identifier, browserHash }: CodeBinding & { purpose: VerificationCodeRow['purpose'] },
): Promise<VerificationCodeRow | undefined> =>
  db
    .selectFrom('verification_code')
    .select(verificationCodeColumns)
    .where('purpose', '=', purpose)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', browserHash)
    .executeTakeFirst();

export const deleteVerificationCodesOf = async (
  db: Kysely<Database>,
  identifiers: readonly string[],
): Promise<void> => {
  await db.deleteFrom('verification_code').where('identifier', 'in', identifiers).execute();
};
