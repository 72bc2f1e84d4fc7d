import type { Page } from 'playwright-core';

/**
 * `platform`: part of the device, such as a fingerprint reader; its passkeys are synced. `security-key`: plugged in, with
 * a PIN; its passkeys stay on it. `without-verification`: a key that cannot tell who touches it.
 */
export type AuthenticatorKind = 'platform' | 'security-key' | 'without-verification';

const kinds = {
  platform: { transport: 'internal', hasUserVerification: true, backup: true },
  'security-key': { transport: 'usb', hasUserVerification: true, backup: false },
  'without-verification': { transport: 'usb', hasUserVerification: false, backup: false },
} as const;

/**
 * Gives a page an authenticator (WebDriver extension of Web Authentication, section 11), in place of those of the
 * machine. Its person answers each question at once.
 */
export const addAuthenticator = async (page: Page, kind: AuthenticatorKind = 'platform') => {
  const { transport, hasUserVerification, backup } = kinds[kind];
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: backup,
      defaultBackupState: backup,
    },
  });
  return {
    /** The passkeys that it keeps. */
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Whether the person passes from now on: a wrong finger or PIN does not. */
    verifies: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
};
