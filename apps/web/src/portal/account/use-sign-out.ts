import { useState } from 'react';
import { call } from '../../shell/api/client.ts';
import { noteFarewell } from '../../shell/api/farewell.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../shell/forms/use-submit.ts';

/** Ends the session of this browser, and leaves for the sign-in. With `forget` the browser stops offering the account. */
export const useSignOut = () => {
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(
    async (forget: boolean) => {
      setProblem(undefined);
      await call('POST /api/sign-out', { body: { forget } });
      noteFarewell('signed-out');
      // The sign-out turns the lamp off.
      document.documentElement.style.setProperty('--lamp', '0');
      await leaveFor('/login');
    },
    setProblem,
    () => {
      noteFarewell('signed-out');
      location.assign('/login');
    },
  );
  return { problem, busy, run };
};
