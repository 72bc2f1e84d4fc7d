import type { Kysely } from 'kysely';
import { updatePasswordHash } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { Database } from '../db/database.ts';
import { hashDeviceId } from '../device/device-id.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import { type Credentials, findCredentials } from './credentials.repository.ts';
import { countPasswordTry } from './password-limits.ts';

export interface PasswordTryOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  now: () => Date;
}

export interface PasswordTryInput {
  password: string;
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
}

/**
 * Whether the password is the account's. The try is counted before it is compared; a right one starts the
 * counts anew. An account that does not exist costs the same.
 * @param who what tries are counted by: the account, or the identifier where there is none.
 * @throws AppError rate_limited, busy, step_up_required (a code has to prove it)
 */
export const comparePassword = async (
  { db, hasher, now }: PasswordTryOptions,
  { who, credentials }: { who: string; credentials: Credentials | undefined },
  { password, device, address }: PasswordTryInput,
): Promise<boolean> => {
  const { hash, known = false, accountId } = credentials ?? {};
  const tried = { who, address: addressKey(address), device: hashDeviceId(device), known };
  const count = await countPasswordTry(db, tried, now());

  const right = await hasher.verify(hash ?? undefined, password).catch(async (error) => {
    await count.untried();
    throw error;
  });
  if (!right || !hash || accountId === undefined) return false;
  await count.right();
  if (hasher.needsRehash(hash)) {
    // A full queue must not refuse a right password: the next try rehashes.
    const to = await hasher.hash(password).catch(() => undefined);
    if (to) await updatePasswordHash(db, accountId, { from: hash, to });
  }
  return true;
};

/**
 * Whether the password is that of the account with this id; see `comparePassword`.
 * @throws AppError rate_limited, busy, step_up_required (a code has to prove it)
 */
export const tryPassword = async (
  options: PasswordTryOptions,
  { accountId, ...input }: PasswordTryInput & { accountId: string },
): Promise<boolean> => {
  const credentials = await findCredentials(options.db, { accountId }, hashDeviceId(input.device));
  return comparePassword(options, { who: accountId, credentials }, input);
};
