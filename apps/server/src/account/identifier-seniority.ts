import type { PasswordRow } from '../credential/password.table.ts';
import { BY_PASSWORD, type Proof } from '../step-up/proof.ts';
import type { AccountIdentifierRow } from './account.table.ts';

type Bound = Pick<AccountIdentifierRow, 'value' | 'verified_at'>;

interface Standing {
  /** Those of the account: a code to one that left it proves nothing. */
  identifiers: readonly Bound[];
  password: Pick<PasswordRow, 'changed_at' | 'doubted_at'> | undefined;
}

/**
 * What lets an identifier be removed or replaced at once: a code to it, a code to one that was bound no later,
 * or a password that was set no later and is not doubted. Whoever came to an account after its owner, with a
 * phone of their own or a new password, cannot take from it what the owner had bound before.
 */
export const opensChange = (
  proofs: readonly Proof[],
  target: Bound,
  { identifiers, password }: Standing,
): 'code' | 'password' | undefined => {
  const isNoYounger = ({ value, verified_at }: Bound) =>
    proofs.includes(value) && verified_at <= target.verified_at;
  if (identifiers.some(isNoYounger)) return 'code';
  if (!password || !proofs.includes(BY_PASSWORD)) return undefined;
  const since = Math.max(password.changed_at.getTime(), password.doubted_at?.getTime() ?? 0);
  return since <= target.verified_at.getTime() ? 'password' : undefined;
};
