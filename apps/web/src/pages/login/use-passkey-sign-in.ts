import { useEffect, useRef } from 'react';
import { ApiError, call } from '../../api/client.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { offersInField } from '../../passkey/passkey-support.ts';
import { type PasskeyProof, proveByPasskey, stopOffering } from '../../passkey/prove-by-passkey.ts';

/** The page is drawn and can be used before the browser is asked for passkeys. */
const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 500);
  });

/**
 * Signs in by a passkey: by a button, or by what the browser offers in the field of the identifier.
 * @param onError hears a refusal; giving up is none
 */
export const usePasskeySignIn = (
  { uid, fail }: Pick<ReadyInteraction, 'uid' | 'fail'>,
  onError: (error: ApiError) => void,
) => {
  const refuse = (error: ApiError) => (error.code === 'interaction_expired' ? fail(error) : onError(error));
  const proof: PasskeyProof<{ returnTo: string }> = {
    options: () => call('POST /interaction/:uid/passkey/options', { params: { uid } }),
    use: (response) => call('POST /interaction/:uid/passkey', { params: { uid }, body: { response } }),
  };
  const signIn = async (inField: boolean) => {
    const answer = await proveByPasskey(proof, inField);
    if (answer) await leaveFor(answer.returnTo);
  };
  const offer = async () => {
    await untilIdle();
    if (await offersInField()) await signIn(true);
  };
  const byButton = useSubmit(async () => {
    await signIn(false);
    // The question of the button has ended the offer in the field.
    void latest.current().catch(() => undefined);
  }, refuse);

  const latest = useRef(offer);
  latest.current = offer;
  const heard = useRef(refuse);
  heard.current = refuse;
  useEffect(() => {
    let isHere = true;
    latest.current().catch((error: unknown) => {
      // An offer that could not be made is nothing that a person has to know.
      const isRefusal = error instanceof ApiError && error.status === 401;
      if (isHere && isRefusal) heard.current(error);
    });
    return () => {
      isHere = false;
      void stopOffering().catch(() => undefined);
    };
  }, []);
  return byButton;
};
