import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../../shell/api/client.ts';
import { bring } from '../../../shell/bring.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import type { Asking } from '../../passkey/ask-passkey.ts';
import { answersAtOnce, offersInField } from '../../passkey/passkey-support.ts';
import type { PasskeyProof } from '../../passkey/prove-by-passkey.ts';

const loadProving = () => bring(() => import('../../passkey/prove-by-passkey.ts'));

const signsOfLife = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Somebody is there. Until then no code is loaded for passkeys, and the server asks no question. */
const untilSomebodyActs = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    for (const sign of signsOfLife) addEventListener(sign, () => resolve(), { once: true, signal });
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
  /** This device has no passkey to offer, or the person chose none of them. */
  const [isElsewhere, setIsElsewhere] = useState(false);
  // A browser has one question open at a time: that of the button is not to be ended by the offer in the field.
  const isPressed = useRef(false);
  const proofOf = (inField: boolean): PasskeyProof<{ returnTo: string }> => ({
    options: async () => {
      const asked = await call('POST /interaction/:uid/passkey/options', { params: { uid } });
      return inField && isPressed.current ? undefined : asked;
    },
    use: (response) => call('POST /interaction/:uid/passkey', { params: { uid }, body: { response } }),
  });
  const signIn = async (asking: Asking): Promise<boolean> => {
    const inField = asking === 'field';
    const { proveByPasskey, stopOffering } = await loadProving();
    if (!inField) await stopOffering();
    const answer = await proveByPasskey(proofOf(inField), asking);
    if (answer) await leaveFor(answer.returnTo);
    return answer !== undefined;
  };
  const offer = async () => {
    try {
      if (await offersInField()) await signIn('field');
    } catch (error) {
      // An offer that could not be made is nothing that a person has to know.
      if (error instanceof ApiError && error.status === 401) refuse(error);
    }
  };
  const byButton = useSubmit(async () => {
    isPressed.current = true;
    // Of the devices this one is asked first, once: the person goes on with the form, or presses again for another.
    const asksHere = !isElsewhere && (await answersAtOnce());
    const isProven = await signIn(asksHere ? 'at-once' : 'dialog').finally(() => {
      isPressed.current = false;
    });
    if (asksHere && !isProven) setIsElsewhere(true);
    // The question of the button has ended the offer in the field.
    void offer();
  }, refuse);

  const latest = useRef(offer);
  latest.current = offer;
  useEffect(() => {
    const leaving = new AbortController();
    let isOffered = false;
    void untilSomebodyActs(leaving.signal).then(() => {
      isOffered = true;
      return latest.current();
    });
    return () => {
      leaving.abort();
      if (isOffered)
        void loadProving().then(
          ({ stopOffering }) => stopOffering(),
          () => undefined,
        );
    };
  }, []);
  return { ...byButton, isElsewhere };
};
