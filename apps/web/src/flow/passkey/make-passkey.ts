import type { PasskeyCreationOptions, PasskeyRegistration } from '@candela/contract';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { ApiError } from '../../shell/api/client.ts';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/**
 * Lets the browser make a passkey (Web Authentication section 5.1.3).
 * @returns undefined where the person gave up
 * @throws ApiError passkey_exists where the device has one of this account; passkey_rejected where it can make none
 */
export const makePasskey = async (
  options: PasskeyCreationOptions,
): Promise<PasskeyRegistration | undefined> => {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return (await startRegistration({ optionsJSON })) as PasskeyRegistration;
  } catch (cause) {
    if (['NotAllowedError', 'AbortError'].includes(nameOf(cause))) return undefined;
    const code = nameOf(cause) === 'InvalidStateError' ? 'passkey_exists' : 'passkey_rejected';
    throw new ApiError(code, { status: 0 }, { cause });
  }
};

/**
 * Lets the browser make a passkey without asking anybody, where it keeps the password that signed in (Web
 * Authentication section 5.1.3).
 * @returns undefined where it does not: a browser does not say why, and nobody waits for it
 */
export const makeByItself = (options: PasskeyCreationOptions): Promise<PasskeyRegistration | undefined> => {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON, useAutoRegister: true }).then(
    (made) => made as PasskeyRegistration,
    () => undefined,
  );
};

interface Accepted {
  rpId: string;
  /** Absent: the account never had a passkey. */
  userHandle?: string | undefined;
  credentialIds: readonly string[];
  name: string;
}

/** Tells the browser which passkeys the account has, and its name (Web Authentication section 5.1.10). */
export const tellPasskeys = ({ rpId, userHandle, credentialIds, name }: Accepted): void => {
  if (userHandle === undefined || typeof PublicKeyCredential !== 'function') return;
  const { signalAllAcceptedCredentials, signalCurrentUserDetails } = PublicKeyCredential;
  // Whether the browser takes the hints changes nothing for the person.
  const ignored = () => undefined;
  if (typeof signalAllAcceptedCredentials === 'function')
    void PublicKeyCredential.signalAllAcceptedCredentials({
      rpId,
      userId: userHandle,
      allAcceptedCredentialIds: [...credentialIds],
    }).catch(ignored);
  if (typeof signalCurrentUserDetails === 'function')
    void PublicKeyCredential.signalCurrentUserDetails({
      rpId,
      userId: userHandle,
      name,
      displayName: name,
    }).catch(ignored);
};
