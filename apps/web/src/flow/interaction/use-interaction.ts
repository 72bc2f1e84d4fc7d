import type { InteractionDetails } from '@candela/contract';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError, serverNow } from '../../shell/api/client.ts';
import {
  fetchInteraction,
  forgetInteraction,
  knownInteraction,
} from '../../shell/api/interaction-details.ts';
import { suggestLocale } from '../../shell/language/i18n.ts';

export type InteractionState =
  | { status: 'loading' }
  | { status: 'ready'; uid: string; details: InteractionDetails }
  | { status: 'failed'; uid: string; error: ApiError };

const longestTimerMs = 2_147_483_647;
const toApiError = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new ApiError('internal_error', { status: 0 }, { cause });

/** Fetches the authorization request that `?interaction=` names. */
export const useInteraction = () => {
  const [search] = useSearchParams();
  const uid = search.get('interaction') ?? '';
  const [state, setState] = useState<InteractionState>(() => {
    const details = knownInteraction(uid);
    return details ? { status: 'ready', uid, details } : { status: 'loading' };
  });

  const fail = useCallback(
    (cause: unknown) => setState({ status: 'failed', uid, error: toApiError(cause) }),
    [uid],
  );

  const reload = useCallback(
    (fresh = true) => {
      if (fresh) forgetInteraction(uid);
      fetchInteraction(uid).then(async (details) => {
        // A catalogue that does not load must not stop the sign-in: the page keeps its language.
        await suggestLocale(details.locale).catch(() => undefined);
        setState({ status: 'ready', uid, details });
      }, fail);
    },
    [uid, fail],
  );
  useEffect(() => reload(false), [reload]);

  const renew = useCallback(async () => {
    forgetInteraction(uid);
    const details = await fetchInteraction(uid);
    setState({ status: 'ready', uid, details });
  }, [uid]);

  // The server decides whether the interaction has expired. The timer only asks it in time.
  const expiresAt = state.status === 'ready' ? state.details.expiresAt : undefined;
  useEffect(() => {
    if (!expiresAt) return;
    const wait = Math.max(0, Date.parse(expiresAt) - serverNow()) + 1_000;
    const timer = setTimeout(reload, Math.min(wait, longestTimerMs));
    return () => clearTimeout(timer);
  }, [expiresAt, reload]);

  return { state, reload, renew, fail };
};
