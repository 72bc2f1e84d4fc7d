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
