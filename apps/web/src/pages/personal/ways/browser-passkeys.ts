import type { Account, Passkey } from '@candela/contract';

/** Methods of Web Authentication Level 3 (sections 5.1.7 and 5.1.10) that a browser may lack. */
interface PasskeySignals {
  isUserVerifyingPlatformAuthenticatorAvailable?(): Promise<boolean>;
  signalAllAcceptedCredentials?(options: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: string[];
  }): Promise<void>;
  signalCurrentUserDetails?(options: {
    rpId: string;
    userId: string;
    name: string;
    displayName: string;
  }): Promise<void>;
}

const inBrowser = (): PasskeySignals | undefined =>
  (globalThis as { PublicKeyCredential?: PasskeySignals }).PublicKeyCredential;

/** Whether the browser makes passkeys: it needs a secure context. */
export const hasPasskeys = (): boolean => inBrowser() !== undefined;

/** Whether the device itself keeps passkeys, behind a fingerprint, a face or a screen lock. */
export const deviceHasPasskeys = async (): Promise<boolean> =>
  (await inBrowser()
    ?.isUserVerifyingPlatformAuthenticatorAvailable?.()
    .catch(() => false)) ?? false;

interface OwnPasskeys {
  items: readonly Passkey[];
  rpId: string;
  userHandle?: string | undefined;
}

/**
 * Tells the keepers of passkeys which ones work here and whose they are, so that they offer no removed one. A refusal
 * changes nothing for the person.
 */
export const signalPasskeys = async (own: OwnPasskeys, account: Account): Promise<void> => {
  const { rpId, userHandle: userId } = own;
  const browser = inBrowser();
  if (!browser || !userId) return;
  const { nickname: displayName } = account;
  const name = account.email ?? account.phone ?? displayName;
  const accepted = own.items.filter(({ elsewhere }) => !elsewhere).map(({ credentialId }) => credentialId);
  await Promise.allSettled([
    browser.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: accepted }),
    browser.signalCurrentUserDetails?.({ rpId, userId, name, displayName }),
  ]);
};
