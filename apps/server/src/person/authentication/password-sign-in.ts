import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { comparePassword, type PasswordTryInput, type PasswordTryOptions } from './password-try.ts';
import type { UnknownAccount } from './unknown-account.ts';

export interface PasswordSignInOptions extends PasswordTryOptions {
  unknownAccount: UnknownAccount;
}

export interface PasswordSignInInput extends PasswordTryInput {
  identifier: Identifier;
  /** Hears which account the password is compared with, before it is compared. */
  onAccount(accountId: string | undefined): void;
}

/**
 * Signs in by a password. The try is counted; a right password is hashed anew where its hash is out of date. An
 * unknown identifier costs the same work as a wrong password.
 * @throws AppError rate_limited, busy, invalid_credentials, step_up_required (sign in with a code),
 *   account_disabled, account_not_found by the policy
 */
export const signInByPassword = async (
  { unknownAccount, ...options }: PasswordSignInOptions,
  { identifier: { kind, value }, onAccount, ...input }: PasswordSignInInput,
): Promise<Credentials> => {
  const credentials = await findCredentials(options.db, { kind, value }, hashToken(input.browserId));
  onAccount(credentials?.accountId);
  const asked = { identifier: value, address: input.address };
  const right = await comparePassword(options, { identifier: value, credentials }, input);
  if (!credentials) throw await unknownAccount.refuse(asked);
  if (!right) {
    await unknownAccount.spendLookUps(asked);
    throw new AppError('invalid_credentials');
  }
  if (credentials.status === 'disabled') throw new AppError('account_disabled');
  return credentials;
};
