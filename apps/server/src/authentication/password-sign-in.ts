import type { Kysely } from 'kysely';
import { findAccountByIdentifier } from '../account/account.repository.ts';
import type { AccountRow } from '../account/account.table.ts';
import { findPassword, updatePasswordHash } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Identifier } from '../identifier/identifier.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import { clearRateLimit, giveHitBack, requireRateLimits } from '../rate-limit/rate-limit.service.ts';
import { refuseUnknownAccount, type UnknownAccountPolicy } from './unknown-account.ts';

export interface PasswordSignInOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  unknownAccount: UnknownAccountPolicy;
  now: () => Date;
}

export interface PasswordSignInInput {
  identifier: Identifier;
  password: string;
  address: string;
}

/** A try is counted before it is compared, so that parallel ones cannot pass together, and given back when right. */
const countTry = async (
  db: Kysely<Database>,
  { who, address }: { who: string; address: string },
  now: Date,
) => {
  const pair = `password.account ${who} ${address}`;
  const all = `password.address ${address}`;
  await requireRateLimits(
    db,
    [
      { key: pair, limit: 10, windowSeconds: 900 },
      { key: all, limit: 100, windowSeconds: 3600 },
    ],
    now,
  );
  return {
    right: async () => {
      await clearRateLimit(db, pair);
      await giveHitBack(db, all);
    },
    untried: async () => {
      await giveHitBack(db, pair);
      await giveHitBack(db, all);
    },
  };
};

/**
 * Finds the account by identifier and password; an unknown identifier costs the same work as a wrong password.
 * @throws AppError rate_limited, busy, invalid_credentials, account_not_found by the policy
 */
export const findByPassword = async (
  { db, hasher, unknownAccount, now }: PasswordSignInOptions,
  { identifier, password, ...input }: PasswordSignInInput,
): Promise<AccountRow> => {
  const address = addressKey(input.address);
  const account = await findAccountByIdentifier(db, identifier);
  const stored = await findPassword(db, account?.id ?? '');
  const count = await countTry(db, { who: account?.id ?? identifier.value, address }, now());

  const right = await hasher.verify(stored?.hash, password).catch(async (error) => {
    await count.untried();
    throw error;
  });
  if (!account)
    throw await refuseUnknownAccount(db, unknownAccount, { identifier: identifier.value, address }, now());
  if (!right || !stored) throw new AppError('invalid_credentials');
  await count.right();
  if (hasher.needsRehash(stored.hash)) {
    await updatePasswordHash(db, account.id, { from: stored.hash, to: await hasher.hash(password) });
  }
  return account;
};
