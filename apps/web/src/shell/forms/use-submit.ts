import { useRef, useState } from 'react';
import { ApiError, signInAgain } from '../api/client.ts';
import { forgetAccount } from '../app-state.ts';

const leavingTimeoutMs = 10_000;

/**
 * Follows the `returnTo` of an answer. The promise resolves only if the page is still there after ten seconds, as
 * when an app did not open. Until then the pressed button stays busy.
 */
export const leaveFor = (url: string): Promise<void> => {
  forgetAccount();
  location.assign(url);
  return new Promise((resolve) => setTimeout(resolve, leavingTimeoutMs));
};

/** An action, and whether it is under way. `run` does nothing while the action is under way. */
export interface Submit<Arguments extends unknown[] = []> {
  busy: boolean;
  run: (...args: Arguments) => Promise<void>;
}

/** Runs an action once at a time. A refusal goes to `onError`, a refusal for a lost session to `onSignedOut`. */
export const useSubmit = <Arguments extends unknown[]>(
  action: (...args: Arguments) => Promise<void>,
  onError: (error: ApiError) => void,
  onSignedOut: () => void = signInAgain,
): Submit<Arguments> => {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const run = async (...args: Arguments): Promise<void> => {
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
  return { busy, run };
};
