import type { ProviderOfAccount } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takeLinking } from '../../../../flow/interaction/linking-note.ts';
import { readLinked, readProviderReturn } from '../../../../flow/providers/provider-return.ts';
import { call } from '../../../../shell/api/client.ts';
import type { Problem } from '../../../../shell/forms/form-errors.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { showRow } from '../focus-row.ts';

/** What went wrong with a provider, by its id. */
export interface ProviderProblem extends Problem {
  provider: string;
}

/** Goes to the provider, whose sign-in is to open the account. It leads back to this page. */
export const useLinking = (onProblem: (problem: ProviderProblem | undefined) => void) => {
  const tried = useRef('');
  return useSensitiveSubmit(
    async (provider: string) => {
      tried.current = provider;
      onProblem(undefined);
      const { returnTo } = await call('POST /api/providers/:id', { params: { id: provider } });
      location.assign(returnTo);
    },
    ({ code, retryAfterSeconds }) => onProblem({ provider: tried.current, code, retryAfterSeconds }),
  );
};

const query = () => new URLSearchParams(location.search);

/** Says what came of a way to a provider and back, once: that it was added, here or by a sign-in, or why not. */
export const useReturn = (
  items: readonly ProviderOfAccount[] | undefined,
  onProblem: (problem: ProviderProblem) => void,
): void => {
  const { t } = useTranslation('security');
  const [linked] = useState(() => readLinked(query()));
  const [failed] = useState(() => readProviderReturn(query()));
  useEffect(() => {
    // A reload, or a copied address, does not say it again.
    if (linked ?? failed) history.replaceState(history.state, '', location.pathname);
  }, [linked, failed]);
  const isTold = useRef(false);
  useEffect(() => {
    if (!items || isTold.current) return;
    isTold.current = true;
    const tell = (problem: ProviderProblem) => {
      showRow(`provider-${problem.provider}`);
      onProblem(problem);
    };
    if (failed) return tell({ provider: failed.provider, code: failed.reason });
    if (linked) showRow(`provider-${linked}`);
    const { provider, since = '' } = linked ? { provider: linked } : (takeLinking() ?? {});
    const wanted = items.find(({ id }) => id === provider);
    if (!wanted) return;
    const { id, name, linkedAt, closed } = wanted;
    if (!linkedAt || closed) tell({ provider: id, code: 'provider_unproven' });
    else if (linkedAt < since) tell({ provider: id, code: 'provider_exists' });
    else notify(t('ways.providerAdded', { name }));
  }, [items, linked, failed, onProblem, t]);
};
