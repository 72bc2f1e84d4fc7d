import type { UndoDetails } from '@candela/contract';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, call } from '../../../shell/api/client.ts';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';

/**
 * The state of the link. `dead`: the link was used, has expired or never existed. `done` has the identifier that
 * recovers the account, or what was stopped.
 */
type UndoState =
  | { at: 'looking' }
  | { at: 'failed'; problem: Problem }
  | { at: 'dead' }
  | { at: 'ready'; details: UndoDetails }
  | { at: 'done'; identifier: string | undefined; details: UndoDetails | undefined };

/** Fetches the change that a link undoes, and undoes it. */
export const useUndo = (token: string) => {
  const [state, setState] = useState<UndoState>({ at: 'looking' });
  const [problem, setProblem] = useState<Problem>();
  const look = useCallback(async () => {
    try {
      const details = await call('POST /api/undo/look', { body: { token } });
      setState({ at: 'ready', details });
    } catch (error) {
      const isDead = error instanceof ApiError && ['not_found', 'invalid_request'].includes(error.code);
      const why: Problem = error instanceof ApiError ? error : { code: 'internal_error' };
      setState(isDead ? { at: 'dead' } : { at: 'failed', problem: why });
    }
  }, [token]);
  useEffect(() => void look(), [look]);

  const details = state.at === 'ready' ? state.details : undefined;
  const undo = useSubmit(
    async () => {
      setProblem(undefined);
      const { identifier } = await call('POST /api/undo', { body: { token } });
      setState({ at: 'done', identifier, details });
    },
    (error) => {
      if (error.code === 'not_found') setState({ at: 'dead' });
      else setProblem(error);
    },
  );
  return { state, undo, problem, look };
};
