import type { SignInNoticed } from '@candela/contract';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, call } from '../../../shell/api/client.ts';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';

/**
 * The state of the link. `dead`: the link was used, has expired or never existed. `kept`: what was to be taken back could
 * not be.
 */
type LinkState =
  | { at: 'looking' }
  | { at: 'failed'; problem: Problem }
  | { at: 'dead' }
  | { at: 'ready'; signIn: SignInNoticed }
  | { at: 'done'; sessionEnded: boolean; tookBack: boolean; kept: boolean };

/** Fetches the sign-in that a link is about, and says that it was somebody else. */
export const useSignInLink = (token: string) => {
  const [state, setState] = useState<LinkState>({ at: 'looking' });
  const [problem, setProblem] = useState<Problem>();
  const look = useCallback(async () => {
    try {
      setState({ at: 'ready', signIn: await call('POST /api/not-me/look', { body: { token } }) });
    } catch (error) {
      const isDead = error instanceof ApiError && ['not_found', 'invalid_request'].includes(error.code);
      const why: Problem = error instanceof ApiError ? error : { code: 'internal_error' };
      setState(isDead ? { at: 'dead' } : { at: 'failed', problem: why });
    }
  }, [token]);
  useEffect(() => void look(), [look]);

  const disown = useSubmit(
    async (takeBack: boolean) => {
      setProblem(undefined);
      const body = { token, ...(takeBack && { takeBack }) };
      const { sessionEnded, tookBack } = await call('POST /api/not-me', { body });
      setState({ at: 'done', sessionEnded, tookBack, kept: takeBack && !tookBack });
    },
    (error) => {
      if (error.code === 'not_found') setState({ at: 'dead' });
      else setProblem(error);
    },
  );
  return { state, disown, problem, look };
};
