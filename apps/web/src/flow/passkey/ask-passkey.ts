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
 * How the browser is asked: by its dialog; by what it offers in the field with `autocomplete="webauthn"`; or at once,
 * by a dialog that opens only where this device has a passkey.
 */
export type Asking = 'dialog' | 'field' | 'at-once';

/** The library has no word for it yet. Who can answer at once can also read and write JSON. */
const askAtOnce = async (options: PasskeyRequestOptions): Promise<unknown> => {
  type Json = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0];
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as Json);
  const signal = WebAuthnAbortService.createNewAbortSignal();
  const asked: CredentialRequestOptions & { uiMode: 'immediate' } = {
    publicKey,
    signal,
    uiMode: 'immediate',
  };
  const credential = await navigator.credentials.get(asked);
  return (credential as PublicKeyCredential | null)?.toJSON();
};

/**
 * Asks the browser for a passkey (Web Authentication section 5.1.4), after it has given up an earlier question.
 * @returns undefined where the person gave up, another question took the place of this one, or the device has none
 * @throws ApiError passkey_rejected where the browser cannot use a passkey here
 */
export const askPasskey = async (
  options: PasskeyRequestOptions,
  asking: Asking = 'dialog',
): Promise<PasskeyAssertion | undefined> => {
  try {
    if (asking === 'at-once') return (await askAtOnce(options)) as PasskeyAssertion | undefined;
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: asking === 'field' });
    return answer as PasskeyAssertion;
  } catch (cause) {
    // Whatever keeps this device from answering, another way is open.
    if (isGivenUp(cause) || asking === 'at-once') return undefined;
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
