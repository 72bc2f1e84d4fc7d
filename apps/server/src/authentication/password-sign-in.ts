import { hashDeviceId } from '../device/device-id.ts';
import { AppError } from '../errors.ts';
import type { Identifier } from '../identifier/identifier.ts';
import { addressKey } from '../rate-limit/address-key.ts';
import { type Credentials, findCredentials } from './credentials.repository.ts';
import { comparePassword, type PasswordTryOptions } from './password-try.ts';
import { refuseUnknownAccount, spendLookUps, type UnknownAccountPolicy } from './unknown-account.ts';

export interface PasswordSignInOptions extends PasswordTryOptions {
  unknownAccount: UnknownAccountPolicy;
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
 *   account_disabled, account_not_found by the policy
 */
export const findByPassword = async (
  { unknownAccount, ...options }: PasswordSignInOptions,
  { identifier, ...input }: PasswordSignInInput,
): Promise<Credentials> => {
  const { db, now } = options;
  const who = { identifier: identifier.value, address: addressKey(input.address) };
  const credentials = await findCredentials(db, identifier, hashDeviceId(input.device));
  const counted = { who: credentials?.accountId ?? identifier.value, credentials };
  const right = await comparePassword(options, counted, input);
  if (!credentials) throw await refuseUnknownAccount(db, unknownAccount, who, now());
  if (!right) {
    await spendLookUps(db, unknownAccount, who, now());
    throw new AppError('invalid_credentials');
  }
  if (credentials.status === 'disabled') throw new AppError('account_disabled');
  return credentials;
};
