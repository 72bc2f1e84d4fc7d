import type { AccountIdentifierRow } from '../account/account.table.ts';
import type { PasswordRow } from '../credential/password.table.ts';
import { BY_PASSWORD, type Proof } from './proof.ts';

type Bound = Pick<AccountIdentifierRow, 'value' | 'verified_at'> &
  Partial<Pick<AccountIdentifierRow, 'bound_since'>>;

/** Since when an identifier counts as bound: one that took the place of another inherits its age. */
export const boundSince = ({ bound_since, verified_at }: Omit<Bound, 'value'>): Date =>
  bound_since ?? verified_at;

interface Standing {
  /** The identifiers of the account by now: a code to an identifier that left the account proves nothing. */
  identifiers: readonly Bound[];
  password: Pick<PasswordRow, 'changed_at' | 'doubted_at'> | undefined;
}

/**
 * What lets an identifier be removed or replaced at once:
 * - `code`: a code to it, or to an older identifier;
 * - `twin`: a code to an identifier that was bound at the same time;
 * - `password`: a password that was set no later, and is not doubted.
 *
 * An intruder comes after the owner, with a phone of their own or a new password: they cannot take an identifier that
 * the owner had bound before.
 */
export const opensChange = (
  proofs: readonly Proof[],
  target: Bound,
  { identifiers, password }: Standing,
): 'code' | 'twin' | 'password' | undefined => {
  const since = boundSince(target);
  const proven = identifiers.filter(({ value }) => proofs.includes(value));
  if (proven.some((one) => one.value === target.value || boundSince(one) < since)) return 'code';
  if (proven.some((one) => boundSince(one) <= since)) return 'twin';
  if (!password || !proofs.includes(BY_PASSWORD)) return undefined;
  const passwordSince = Math.max(password.changed_at.getTime(), password.doubted_at?.getTime() ?? 0);
  return passwordSince <= since.getTime() ? 'password' : undefined;
};
