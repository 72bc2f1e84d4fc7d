import { useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../shell/api/client.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { flowUrl } from '../interaction/flow-links.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { forgetLinking } from '../interaction/linking-note.ts';

/** Forgets who came from the provider, and shows the form of the sign-in. */
export const useDrop = (
  { uid, renew }: Pick<ReadyInteraction, 'uid' | 'renew'>,
  onError: (error: ApiError) => void,
) => {
  const navigate = useNavigate();
  return useSubmit(async () => {
    await call('DELETE /interaction/:uid/provider', { params: { uid } });
    forgetLinking();
    await renew();
    navigate(flowUrl('/login', uid), { replace: true, state: { another: true } });
  }, onError);
};
