import { useRef, useState } from 'react';
import { ApiError, signInAgain } from '../api/client.ts';
import { forgetAccount } from '../app-state.ts';

const leavingTimeoutMs = 10_000;

/**
 * Follows an answer’s `returnTo`. It settles only if the page is still there after a while (an app that
 * did not open), so that the button stays busy meanwhile.
 */
export const leaveFor = (url: string): Promise<void> => {
  forgetAccount();
  location.assign(url);
  return new Promise((resolve) => setTimeout(resolve, leavingTimeoutMs));
};

/** Runs an action once at a time; refusals go to `onError`, a session that is gone to `onSignedOut`. */
export const useSubmit = <Arguments extends unknown[]>(
  action: (...args: Arguments) => Promise<void>,
  onError: (error: ApiError) => void,
  onSignedOut: () => void = signInAgain,
) => {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const submit = async (...args: Arguments): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action(...args);
    } catch (cause) {
      const error =
        cause instanceof ApiError ? cause : new ApiError('internal_error', { status: 0 }, { cause });
      if (error.code === 'not_signed_in') onSignedOut();
      else onError(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, submit };
};
