import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../flow/components/checkbox.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { Initial } from '../../../shell/components/initial.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { partWithTexts } from '../../../shell/part-with-texts.ts';
import { accountQuery } from '../../account/queries.ts';
import { ListFailure } from '../../components/list-states.tsx';
import { AccountSettings } from './account-settings.tsx';
import styles from './personal-page.module.css';
import { PlaceLinks } from './place-links.tsx';

const WaysSection = partWithTexts(
  'security',
  async () => (await bring(() => import('./ways/ways-section.tsx'))).WaysSection,
);
const LeavingRows = partWithTexts(
  'security',
  async () => (await bring(() => import('./leaving-rows.tsx'))).LeavingRows,
);

const SignOut = () => {
  const { t } = useTranslation('account');
  const [problem, setProblem] = useState<Problem>();
  const [forget, setForget] = useState(false);
  const { busy, run } = useSubmit(
    async () => {
      await call('POST /api/sign-out', { body: { forget } });
      // The sign-out turns the lamp off.
      document.documentElement.style.setProperty('--lamp', '0');
      await leaveFor('/login');
    },
    setProblem,
    () => location.assign('/login'),
  );
  return (
    <div className={styles.signOut}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <Button className={styles.signOutButton} busy={busy} onClick={() => run()}>
        {t('personal.signOut')}
      </Button>
      <Checkbox checked={forget} onChange={() => setForget(!forget)}>
        {t('personal.forget')}
      </Checkbox>
    </div>
  );
};

/** The page of the account: its settings, and links to its sessions and approvals. */
export const PersonalPage = () => {
  const { t } = useTranslation('account');
  const { data: account, error, refetch, isFetching } = useQuery(accountQuery);
  const title = t('personal.title');
  if (!account) {
    return (
      <>
        <PageHeading title={title} />
        <div className={styles.waiting}>
          {error instanceof ApiError ? (
            <ListFailure
              title={t('personal.failedTitle')}
              error={error}
              busy={isFetching}
              onRetry={() => void refetch()}
            />
          ) : (
            <Skeleton heights={[80, 300, 120]} />
          )}
        </div>
      </>
    );
  }
  return (
    <>
      <div className={styles.who}>
        <Initial name={account.nickname} picture={account.avatar} size="large" />
        <div className={styles.names}>
          <PageHeading title={title} className={styles.heading}>
            <span className={styles.nickname}>{account.nickname}</span>
            <span className={styles.title}>{title}</span>
          </PageHeading>
        </div>
      </div>
      <AccountSettings account={account} />
      <ChunkBoundary>
        <Suspense fallback={<Skeleton heights={[160]} />}>
          <WaysSection account={account} />
        </Suspense>
      </ChunkBoundary>
      <PlaceLinks account={account} />
      <SignOut />
      <ChunkBoundary>
        <Suspense fallback={<Skeleton heights={[120]} />}>
          <LeavingRows account={account} />
        </Suspense>
      </ChunkBoundary>
    </>
  );
};
