import type { Account, Passkey } from '@candela/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../../flow/components/moment.tsx';
import { Phrase } from '../../../../flow/components/phrase.tsx';
import { takeSignIn } from '../../../../flow/interaction/fresh-sign-in.ts';
import { deviceKeepsPasskeys } from '../../../../flow/passkey/passkey-support.ts';
import { ApiError, call } from '../../../../shell/api/client.ts';
import { bring } from '../../../../shell/bring.ts';
import { prepare } from '../../../../shell/chunk/part.tsx';
import { Actions } from '../../../../shell/components/actions.tsx';
import { Button } from '../../../../shell/components/button.tsx';
import { Skeleton } from '../../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../../shell/forms/focus-soon.ts';
import { type Problem, useProblemText } from '../../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../../shell/forms/use-submit.ts';
import { useOnHide } from '../../../../shell/kept-pages/on-hide.ts';
import { partWithTexts } from '../../../../shell/part-with-texts.ts';
import { accountQuery } from '../../../account/queries.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import card from '../../../components/card.module.css';
import { ListFailure } from '../../../components/list-states.tsx';
import { notify } from '../../../components/toast.tsx';
import { AddingState } from './adding-state.tsx';
import { RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { waysQuery } from './queries.ts';
import { SecondStepRow, TrustedBrowserRows } from './second-step-rows.tsx';
import { useAddPasskey, usePasskeyByItself } from './use-passkeys.ts';
import styles from './ways-section.module.css';

const ProviderRows = partWithTexts(
  'providers',
  async () => (await bring(() => import('./provider-rows.tsx'))).ProviderRows,
);

interface AddingProps {
  account: Account;
  onAdded: (passkey: Passkey) => void;
}

/** Offers a first passkey, and takes no for an answer: both answers have the same weight. */
const Offer = ({ account, onAdded }: AddingProps) => {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const problemText = useProblemText();
  const [refused, setRefused] = useState<Problem>();
  const adding = useAddPasskey(account, onAdded);
  const declining = useSubmit(async () => {
    await call('POST /api/ways/offer-declined');
    await client.invalidateQueries({ queryKey: waysQuery.queryKey });
    focusSoon(() => document.querySelector<HTMLElement>('h1'));
  }, setRefused);
  return (
    <section className={`${card.card} ${styles.offer}`} aria-labelledby="passkey-offer">
      <h3 className={styles.title} id="passkey-offer">
        {t('ways.offerTitle')}
      </h3>
      <p>{t('ways.offerText')}</p>
      <AddingState adding={adding} />
      {refused && (
        <p className={styles.warning} role="alert">
          {problemText(refused)}
        </p>
      )}
      <Actions>
        <Button busy={declining.busy} onClick={() => declining.run()}>
          {t('ways.offerNo')}
        </Button>
        <Button busy={adding.busy} onClick={() => adding.run()}>
          {t('ways.offerYes')}
        </Button>
      </Actions>
    </section>
  );
};

/** Whether the person comes from a sign-in of the portal itself; whether that is on a device that keeps passkeys. */
const useArrival = () => {
  const [isNewHere, setIsNewHere] = useState(false);
  const [isOfferTime, setIsOfferTime] = useState(false);
  useEffect(() => {
    if (!takeSignIn()) return;
    setIsNewHere(true);
    void deviceKeepsPasskeys().then(setIsOfferTime);
  }, []);
  return { isNewHere, isOfferTime };
};

/** Somebody recovers the account without the second step. Who did not ask for it stops it here. */
const RecoveryWait = ({ dueAt }: { dueAt: string }) => {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await call('DELETE /api/account/recovery-wait');
    await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    notify(t('ways.waitStopped'));
  }, setProblem);
  return (
    <section className={`${card.card} ${styles.offer}`} aria-labelledby="recovery-wait">
      <h3 className={styles.title} id="recovery-wait">
        {t('ways.waitTitle')}
      </h3>
      <p>
        <Phrase text={(when) => t('ways.waitText', { when })}>
          <Moment at={dueAt} show="zoned" />
        </Phrase>
      </p>
      {problem && (
        <p className={styles.warning} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button look="danger" busy={busy} onClick={() => run()}>
          {t('ways.waitStop')}
        </Button>
      </Actions>
    </section>
  );
};

/** The ways in which a person signs in, besides the password: passkeys, and the second step. */
export const WaysSection = ({ account }: { account: Account }) => {
  const { t } = useTranslation('security');
  const { data: ways, error, refetch, isFetching } = useQuery(waysQuery);
  /** A passkey that was just made gets its name from the person. */
  const [added, setAdded] = useState<Passkey>();
  const named = () => setAdded(undefined);
  useOnHide(named);
  const { isNewHere, isOfferTime } = useArrival();
  useEffect(() => prepare(ProviderRows), []);
  const isDue = ways?.offerPasskey === true;
  const cameOrNot = usePasskeyByItself(account, isNewHere && isDue);
  return (
    <>
      {account.recoveryWait && <RecoveryWait dueAt={account.recoveryWait.dueAt} />}
      {isOfferTime && isDue && cameOrNot && <Offer account={account} onAdded={setAdded} />}
      {ways && (
        <dl className={card.card}>
          <PasskeyRows account={account} onAdded={setAdded} />
          <ProviderRows />
          <SecondStepRow ways={ways} />
          {ways.totp && <TrustedBrowserRows />}
        </dl>
      )}
      {!ways && error instanceof ApiError && (
        <ListFailure
          title={t('ways.failedTitle')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!ways && !error && <Skeleton heights={[56, 56]} />}
      {added && <RenamePasskeyDialog account={account} passkey={added} onClose={named} />}
    </>
  );
};
