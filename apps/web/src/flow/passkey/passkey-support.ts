/** Whether this browser can use passkeys at all: Web Authentication needs a secure context. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether the browser offers passkeys in a field, among what it has kept for it. */
export const offersInField = async (): Promise<boolean> =>
  canUsePasskeys() &&
  typeof PublicKeyCredential.isConditionalMediationAvailable === 'function' &&
  (await PublicKeyCredential.isConditionalMediationAvailable());

/** Whether the device itself keeps passkeys, behind a fingerprint, a face or a screen lock. */
export const deviceKeepsPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() &&
  (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false));

/** What the browser can do beyond that (Web Authentication section 5.1.7); false where it does not say. */
const isCapable = async (what: 'conditionalCreate' | 'immediateGet'): Promise<boolean> => {
  if (!canUsePasskeys() || typeof PublicKeyCredential.getClientCapabilities !== 'function') return false;
  const capabilities = await PublicKeyCredential.getClientCapabilities().catch(() => undefined);
  return capabilities?.[what] === true;
};

/** Whether the browser may make a passkey without asking anybody, where it keeps the password of the account. */
export const makesByItself = (): Promise<boolean> => isCapable('conditionalCreate');

/** Whether the browser can ask for a passkey of this device alone, and answers at once where there is none. */
export const answersAtOnce = (): Promise<boolean> => isCapable('immediateGet');
