import type { Kysely } from 'kysely';
import { findAccountByIdentifier } from '../account/account.repository.ts';
import type { AccountRow } from '../account/account.table.ts';
import { findPassword, updatePasswordHash } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { Database } from '../db/database.ts';
import { findDeviceAccount } from '../device/device-account.repository.ts';
import { hashDeviceId } from '../device/device-id.ts';
import { AppError } from '../errors.ts';
import type { Identifier } from '../identifier/identifier.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import { countPasswordTry } from './password-limits.ts';
import { refuseUnknownAccount, spendLookUps, type UnknownAccountPolicy } from './unknown-account.ts';

export interface PasswordSignInOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  unknownAccount: UnknownAccountPolicy;
  now: () => Date;
}

export interface PasswordSignInInput {
  identifier: Identifier;
  password: string;
  /** The value of the pre-session cookie. */
  device: string;
  address: string;
}

/**
 * Finds the account by identifier and password; an unknown identifier costs the same work as a wrong password.
 * @throws AppError rate_limited, busy, invalid_credentials, step_up_required (sign in with a code),
 *   account_not_found by the policy
 */
export const findByPassword = async (
  { db, hasher, unknownAccount, now }: PasswordSignInOptions,
  { identifier, password, ...input }: PasswordSignInInput,
): Promise<AccountRow> => {
  const address = addressKey(input.address);
  const device = hashDeviceId(input.device);
  const who = { identifier: identifier.value, address };
  // Its session epoch is read before its password: a session is made only if neither changed since.
  const account = await findAccountByIdentifier(db, identifier);
  const stored = await findPassword(db, account?.id ?? '');
  const known = (await findDeviceAccount(db, device, account?.id ?? '')) !== undefined;
  const tried = { who: account?.id ?? identifier.value, address, device, known };
  const count = await countPasswordTry(db, tried, now());

  const right = await hasher.verify(stored?.hash, password).catch(async (error) => {
    await count.untried();
    throw error;
  });
  if (!account) throw await refuseUnknownAccount(db, unknownAccount, who, now());
  if (!right || !stored) {
    await spendLookUps(db, unknownAccount, who, now());
    throw new AppError('invalid_credentials');
  }
  await count.right();
  if (hasher.needsRehash(stored.hash)) {
    // A full queue must not refuse a right password: the next sign-in rehashes.
    const to = await hasher.hash(password).catch(() => undefined);
    if (to) await updatePasswordHash(db, account.id, { from: stored.hash, to });
  }
  return account;
};
