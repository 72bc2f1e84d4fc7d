import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client.ts';
import { bring } from '../../../bring.ts';
import { ChunkBoundary } from '../../../chunk/chunk-boundary.tsx';
import { part } from '../../../chunk/part.tsx';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import { focusSoon } from '../../../components/focus-soon.ts';
import { prepareDialog } from '../../../dialog/dialog.tsx';
import { type Problem, useProblemText } from '../../../forms/form-errors.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import { deviceHasPasskeys } from './browser-passkeys.ts';
import styles from './passkey-offer.module.css';
import { waysQuery } from './queries.ts';
import { useWaysChange } from './use-ways-change.ts';

const AddPasskeyDialog = part(
  async () => (await bring(() => import('./add-passkey-dialog.tsx'))).AddPasskeyDialog,
);

/** Offers a passkey, where the server says that it may be offered and the device keeps passkeys. */
export const PasskeyOffer = () => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const changed = useWaysChange();
  const { data: ways } = useQuery(waysQuery);
  const [canKeep, setCanKeep] = useState(false);
  const [adds, setAdds] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    void deviceHasPasskeys().then(setCanKeep);
  }, []);
  const { busy, run: decline } = useSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/ways/offer-declined');
    await changed();
    focusSoon(() => document.querySelector<HTMLElement>('h1'));
  }, setProblem);

  const offers = canKeep && ways?.offerPasskey;
  if (!offers && !adds) return null;
  return (
    <>
      {offers && (
        <section className={styles.offer} aria-labelledby="passkey-offer">
          <h2 id="passkey-offer">{t('ways.offer.title')}</h2>
          <p>{t('ways.offer.text')}</p>
          {problem && (
            <p className={styles.problem} role="alert">
              {problemText(problem)}
            </p>
          )}
          <Actions>
            <Button busy={busy} onClick={() => void decline()}>
              {t('ways.offer.notNow')}
            </Button>
            <Button
              onClick={() => {
                prepareDialog();
                setAdds(true);
              }}
            >
              {t('ways.offer.add')}
            </Button>
          </Actions>
        </section>
      )}
      {adds && (
        <ChunkBoundary overlay>
          <Suspense>
            <AddPasskeyDialog onClose={() => setAdds(false)} />
          </Suspense>
        </ChunkBoundary>
      )}
    </>
  );
};
