import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { hitRateLimit, isCounted } from '../rate-limit/rate-limit.service.ts';

/** Who is told that an identifier has no account; see "Unknown account" of the design. */
export type UnknownAccountPolicy = 'after-code' | 'reveal' | 'uniform';

const SHOWN_PER_DAY = 5;
const DAY = 86_400;

const isShown = async (
  db: Kysely<Database>,
  { identifier, address }: { identifier: string; address: string },
  now: Date,
): Promise<boolean> => {
  const shown = `unknown.shown ${address} ${identifier}`;
  if (await isCounted(db, shown, now)) return true;
  const total = { key: `unknown.address ${address}`, limit: SHOWN_PER_DAY, windowSeconds: DAY };
  if ((await hitRateLimit(db, total, now)) !== undefined) return false;
  await hitRateLimit(db, { key: shown, limit: 1, windowSeconds: DAY }, now);
  return true;
};

/**
 * The refusal of a password for an identifier without an account: it says so to the person who mistyped,
 * and stops saying so to the address that asks about one identifier after another.
 */
export const refuseUnknownAccount = async (
  db: Kysely<Database>,
  policy: UnknownAccountPolicy,
  who: { identifier: string; address: string },
  now: Date,
): Promise<AppError> => {
  const told = policy === 'reveal' || (policy === 'after-code' && (await isShown(db, who, now)));
  return new AppError(told ? 'account_not_found' : 'invalid_credentials');
};
