import type { Account, Passkey } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { makesByItself } from '../../../../flow/passkey/passkey-support.ts';
import { type ApiError, call } from '../../../../shell/api/client.ts';
import { bring } from '../../../../shell/bring.ts';
import type { Problem } from '../../../../shell/forms/form-errors.ts';
import { accountQuery } from '../../../account/queries.ts';
import { isGivenUp, useSensitiveSubmit, withStepUp } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { passkeysQuery, waysQuery } from './queries.ts';

const mediation = 'conditional';

const loadMaking = () => bring(() => import('../../../../flow/passkey/make-passkey.ts'));

/** Reads the passkeys anew, and tells the browser which ones there are. */
export const useFreshPasskeys = ({ nickname }: Pick<Account, 'nickname'>) => {
  const client = useQueryClient();
  return async () => {
    const queries = [waysQuery, accountQuery];
    await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    const { items, rpId, userHandle } = await client.fetchQuery({ ...passkeysQuery, staleTime: 0 });
    const here = items.filter(({ elsewhere }) => elsewhere === undefined);
    const credentialIds = here.map(({ credentialId }) => credentialId);
    (await loadMaking()).tellPasskeys({ rpId, userHandle, credentialIds, name: nickname });
  };
};

/**
 * Lets a passkey come by itself, once, where `wanted`: the session needs the proof that a passkey takes, so a password
 * alone brings none (docs/decisions/127-a-passkey-that-comes-by-itself.md).
 * @returns true once that is over, whichever way, or has taken a second: some browsers never answer
 */
export const usePasskeyByItself = (account: Account, wanted: boolean): boolean => {
  const { t } = useTranslation('security');
  const refresh = useFreshPasskeys(account);
  const [isOver, setIsOver] = useState(false);
  const attempt = async () => {
    if (!(await makesByItself())) return;
    const options = await call('POST /api/passkeys/options', { query: { mediation } });
    const response = await (await loadMaking()).makeByItself(options);
    if (!response) return;
    await call('POST /api/passkeys', { body: { response, mediation } });
    await refresh();
    notify(t('ways.passkeyAdded'));
  };
  const latest = useRef(attempt);
  latest.current = attempt;
  useEffect(() => {
    if (!wanted) return;
    const late = setTimeout(() => setIsOver(true), 1_000);
    // Nobody asked for it, so nobody is told that it did not come.
    void latest
      .current()
      .catch(() => undefined)
      .then(() => setIsOver(true));
    return () => clearTimeout(late);
  }, [wanted]);
  return isOver;
};

/**
 * Adds a passkey that the browser makes. `onAdded` gets it. `isStopped`: the person or the device stopped it; a browser
 * does not say which.
 */
export const useAddPasskey = (account: Account, onAdded: (passkey: Passkey) => void) => {
  const { t } = useTranslation('security');
  const refresh = useFreshPasskeys(account);
  const [problem, setProblem] = useState<Problem>();
  const [isStopped, setIsStopped] = useState(false);
  const adding = useSensitiveSubmit(async () => {
    setProblem(undefined);
    setIsStopped(false);
    const options = await call('POST /api/passkeys/options');
    const response = await (await loadMaking()).makePasskey(options);
    if (!response) return setIsStopped(true);
    // By itself: the browser made the passkey, and is not to make another one, also where the person gives up.
    const passkey = await withStepUp(() => call('POST /api/passkeys', { body: { response } })).catch(
      (error: ApiError) => {
        if (!isGivenUp(error)) throw error;
      },
    );
    if (!passkey) return setIsStopped(true);
    await refresh();
    notify(t('ways.passkeyAdded'));
    onAdded(passkey);
  }, setProblem);
  return { ...adding, problem, isStopped };
};
