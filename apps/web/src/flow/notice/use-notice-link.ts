import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../shell/api/client.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';

/** The state of the link. `dead`: the link was used, has expired or never existed. */
type NoticeState<Details, Done> =
  | { at: 'looking' }
  | { at: 'failed'; problem: Problem }
  | { at: 'dead' }
  | { at: 'ready'; details: Details }
  | { at: 'done'; done: Done };

/** What a link of a notice is for. Its functions stay the same from one render to the next. */
interface NoticeLink<Details, Done, Choice extends unknown[]> {
  /** Fetches what the link is about. */
  look: (token: string) => Promise<Details>;
  /** Does what the link offers, as the person chose. */
  act: (token: string, details: Details, ...choice: Choice) => Promise<Done>;
}

/** Fetches what a link of a notice is about, and does what it offers. The fragment of the address is the token. */
export const useNoticeLink = <Details, Done, Choice extends unknown[] = []>(
  { look: fetchDetails, act }: NoticeLink<Details, Done, Choice>,
  token: string,
) => {
  const [state, setState] = useState<NoticeState<Details, Done>>({ at: 'looking' });
  const [problem, setProblem] = useState<Problem>();
  const look = useCallback(async () => {
    try {
      setState({ at: 'ready', details: await fetchDetails(token) });
    } catch (error) {
      const isDead = error instanceof ApiError && ['not_found', 'invalid_request'].includes(error.code);
      const why: Problem = error instanceof ApiError ? error : { code: 'internal_error' };
      setState(isDead ? { at: 'dead' } : { at: 'failed', problem: why });
    }
  }, [fetchDetails, token]);
  useEffect(() => void look(), [look]);

  const action = useSubmit(
    async (...choice: Choice) => {
      if (state.at !== 'ready') return;
      setProblem(undefined);
      setState({ at: 'done', done: await act(token, state.details, ...choice) });
    },
    (error) => {
      if (error.code === 'not_found') setState({ at: 'dead' });
      else setProblem(error);
    },
  );
  return { state, action, problem, look };
};
