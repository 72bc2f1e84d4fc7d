import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { hitRateLimit, isCounted, isSpent } from '../rate-limit/rate-limit.service.ts';

/** Who is told that an identifier has no account; see "Unknown account" of the design. */
export type UnknownAccountPolicy = 'after-code' | 'reveal' | 'uniform';

const SHOWN_PER_DAY = 5;
const DAY = 86_400;

interface Asked {
  identifier: string;
  address: string;
}

/** What is known already of this address: two statements, for whichever identifier. */
const lookUp = async (db: Kysely<Database>, { identifier, address }: Asked, now: Date) => {
  const shown = `unknown.shown ${address} ${identifier}`;
  const total = { key: `unknown.address ${address}`, limit: SHOWN_PER_DAY, windowSeconds: DAY };
  const before = await isCounted(db, shown, now);
  return { shown, total, before, spent: await isSpent(db, total, now) };
};

const isShown = async (db: Kysely<Database>, asked: Asked, now: Date): Promise<boolean> => {
  const { shown, total, before, spent } = await lookUp(db, asked, now);
  if (before) return true;
  if (spent || (await hitRateLimit(db, total, now)) !== undefined) return false;
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
  who: Asked,
  now: Date,
): Promise<AppError> => {
  const told = policy === 'reveal' || (policy === 'after-code' && (await isShown(db, who, now)));
  return new AppError(told ? 'account_not_found' : 'invalid_credentials');
};

/** For a wrong password: takes the time that a refusal of an unknown account takes which says nothing. */
export const spendLookUps = async (
  db: Kysely<Database>,
  policy: UnknownAccountPolicy,
  who: Asked,
  now: Date,
): Promise<void> => {
  if (policy === 'after-code') await lookUp(db, who, now);
};
