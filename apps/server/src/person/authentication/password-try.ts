import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { neighbourhoodOf } from '../../ground/rate-limit/address-key.ts';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { updatePasswordHash } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { LegacySignIn } from './legacy-sign-in.ts';
import type { PasswordLimits } from './password-limits.ts';

export interface PasswordTryOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  passwordLimits: PasswordLimits;
  /** Knows passwords that this server has no hash of; undefined: nobody does. */
  legacySignIn?: LegacySignIn | undefined;
}

export interface PasswordTryInput extends Caller {
  password: string;
}

/**
 * Whether the password is the account's. The try is counted before it is compared; a right password starts the counts
 * anew, and is hashed anew where its hash is out of date: so another system is asked for a password until it is right
 * once. An account that does not exist costs the same.
 * @param whose `identifier` is the canonical identifier that was submitted, by which the tries count
 * @throws AppError rate_limited, busy, step_up_required (a code has to prove it), unavailable (so is the other system)
 */
export const comparePassword = async (
  { db, hasher, passwordLimits, legacySignIn }: PasswordTryOptions,
  { identifier, credentials }: { identifier?: string; credentials: Credentials | undefined },
  { password, browserId, address }: PasswordTryInput,
): Promise<boolean> => {
  const { hash, known = false, accountId, knownElsewhereAs } = credentials ?? {};
  const count = await passwordLimits.count({ identifier, accountId, browserId, address }, known);

  const from = neighbourhoodOf(address);
  const compare = () => {
    if (!legacySignIn || !knownElsewhereAs) return hasher.verify(hash ?? undefined, password, from);
    return hasher.verifyElsewhere(() => legacySignIn.ask(knownElsewhereAs, password, from), from);
  };
  const right = await compare().catch(async (error) => {
    await count.untried();
    throw error;
  });
  if (!right || !hash || accountId === undefined) {
    await count.wrong();
    return false;
  }
  await count.right();
  if (hasher.needsRehash(hash)) {
    // A full queue must not refuse a right password: the next try rehashes.
    const to = await hasher.hash(password, from).catch(() => undefined);
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
  const credentials = await findCredentials(options.db, { accountId }, hashToken(input.browserId));
  return comparePassword(options, { credentials }, input);
};
