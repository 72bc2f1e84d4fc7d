import type { PasskeyAssertion, PasskeyRequestOptions } from '@candela/contract';
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { ApiError } from '../../shell/api/client.ts';

/** What browsers throw where the person closed the dialog, let it pass, or began something else. */
const isGivenUp = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);

/**
 * Asks the browser for a passkey (Web Authentication section 5.1.4), after it has given up an earlier question.
 * @param inField the browser offers its passkeys in the field with `autocomplete="webauthn"`, and opens no dialog
 * @returns undefined where the person gave up, or another question took the place of this one
 * @throws ApiError passkey_rejected where the browser cannot use a passkey here
 */
export const askPasskey = async (
  options: PasskeyRequestOptions,
  inField = false,
): Promise<PasskeyAssertion | undefined> => {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: inField });
    return answer as PasskeyAssertion;
  } catch (cause) {
    if (isGivenUp(cause)) return undefined;
    throw new ApiError('passkey_rejected', { status: 0 }, { cause });
  }
};

/** Ends the question that is open, if one is. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony();

/** Tells the browser that nobody has this passkey any more, so that it offers it no longer (section 5.1.10). */
export const forgetPasskey = (rpId: string, credentialId: string): void => {
  if (typeof PublicKeyCredential.signalUnknownCredential !== 'function') return;
  // Whether the browser takes the hint changes nothing for the person.
  void PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => undefined);
};
