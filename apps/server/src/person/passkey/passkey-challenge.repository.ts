import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { PasskeyChallengeRow } from './passkey-challenge.table.ts';

export const insertChallenge = async (
  db: Kysely<Database>,
  row: Omit<PasskeyChallengeRow, 'spent_at'>,
): Promise<void> => {
  await db.insertInto('passkey_challenge').values(row).execute();
};

export type ChallengeBinding = Pick<
  PasskeyChallengeRow,
  'challenge_hash' | 'purpose' | 'brand' | 'browser_hash' | 'bound_to'
>;

/** True for the one caller that spends the challenge. */
export const spendChallenge = async (
  db: Kysely<Database>,
  { challenge_hash, purpose, brand, browser_hash, bound_to }: ChallengeBinding,
  now: Date,
): Promise<boolean> => {
  const spent = await db
    .updateTable('passkey_challenge')
    .set({ spent_at: now })
    .where('challenge_hash', '=', challenge_hash)
    .where('purpose', '=', purpose)
    .where('brand', '=', brand)
    .where('browser_hash', '=', browser_hash)
    .where('bound_to', '=', bound_to)
    .where('expires_at', '>', now)
    .where('spent_at', 'is', null)
    .returning('challenge_hash')
    .executeTakeFirst();
  return spent !== undefined;
};

export const findChallenge = (
  db: Kysely<Database>,
  challengeHash: string,
): Promise<Pick<PasskeyChallengeRow, 'spent_at' | 'expires_at'> | undefined> =>
  db
    .selectFrom('passkey_challenge')
    .select(['spent_at', 'expires_at'])
    .where('challenge_hash', '=', challengeHash)
    .executeTakeFirst();
