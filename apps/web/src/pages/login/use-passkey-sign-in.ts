import { useEffect, useRef } from 'react';
import { ApiError, call } from '../../api/client.ts';
import { bring } from '../../bring.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { offersInField } from '../../passkey/passkey-support.ts';
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
  const proof: PasskeyProof<{ returnTo: string }> = {
    options: () => call('POST /interaction/:uid/passkey/options', { params: { uid } }),
    use: (response) => call('POST /interaction/:uid/passkey', { params: { uid }, body: { response } }),
  };
  /** The button has asked: a question in the field, which would take its place, is not put. */
  const pressed = useRef(false);
  const offered: typeof proof = {
    ...proof,
    options: async () => {
      const asked = await proof.options();
      if (pressed.current) throw new ApiError('passkey_rejected', { status: 0 });
      return asked;
    },
  };
  const signIn = async (inField: boolean) => {
    const { proveByPasskey, stopOffering } = await loadProving();
    if (!inField) await stopOffering();
    const answer = await proveByPasskey(inField ? offered : proof, inField);
    if (answer) await leaveFor(answer.returnTo);
  };
  const offer = async () => {
    try {
      if (await offersInField()) await signIn(true);
    } catch (error) {
      // An offer that could not be made is nothing that a person has to know.
      if (error instanceof ApiError && error.status === 401) refuse(error);
    }
  };
  const byButton = useSubmit(async () => {
    pressed.current = true;
    await signIn(false).finally(() => {
      pressed.current = false;
    });
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
  return byButton;
};
