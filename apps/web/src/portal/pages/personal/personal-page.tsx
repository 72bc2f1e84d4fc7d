import type { Account } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../flow/components/checkbox.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { prepare } from '../../../shell/chunk/part.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { Initial } from '../../../shell/components/initial.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { partWithTexts } from '../../../shell/part-with-texts.ts';
import { accountQuery, callerDigitsQuery } from '../../account/queries.ts';
import { usePainted } from '../../account/use-painted.ts';
import { useSignOut } from '../../account/use-sign-out.ts';
import { ListFailure } from '../../components/list-states.tsx';
import { ProfileRows, SignInRows } from './account-rows.tsx';
import { PartOfPage } from './part-of-page.tsx';
import styles from './personal-page.module.css';
import { ActivityLink, PlaceLinks } from './place-links.tsx';
import { useSettings } from './use-settings.tsx';

const WaysSection = partWithTexts(
  'security',
  async () => (await bring(() => import('./ways/ways-section.tsx'))).WaysSection,
  () => <Skeleton heights={[160]} />,
);
const LeavingRows = partWithTexts(
  'security',
  async () => (await bring(() => import('./leaving-rows.tsx'))).LeavingRows,
  () => <Skeleton heights={[120]} />,
);

// They load while the page is drawn for the first time.
prepare(WaysSection, LeavingRows);

const CallerDigits = partWithTexts(
  'security',
  async () => (await bring(() => import('./caller-digits.tsx'))).CallerDigits,
);

/** The digits of a call, where somebody who answers it has asked for them. */
const Call = () => {
  const painted = usePainted();
  const { data } = useQuery({ ...callerDigitsQuery, enabled: painted });
  if (!data?.digits) return null;
  return (
    <ChunkBoundary>
      <CallerDigits digits={data.digits} until={data.until} />
    </ChunkBoundary>
  );
};

const SignOut = () => {
  const { t } = useTranslation('account');
  const [forget, setForget] = useState(false);
  const { problem, busy, run } = useSignOut();
  return (
    <div className={styles.signOut}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <Checkbox checked={forget} onChange={() => setForget(!forget)}>
        {t('personal.forget')}
      </Checkbox>
      <Button className={styles.signOutButton} busy={busy} onClick={() => run(forget)}>
        {t('personal.signOut')}
      </Button>
    </div>
  );
};

const Loaded = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  const { openSetting, dialog } = useSettings(account);
  const title = t('personal.title');
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
      <Call />
      <PartOfPage title={t('personal.parts.profile')}>
        <ProfileRows account={account} onOpen={openSetting} />
      </PartOfPage>
      <PartOfPage title={t('personal.parts.security')}>
        <SignInRows account={account} onOpen={openSetting} />
        <ChunkBoundary>
          <WaysSection account={account} />
        </ChunkBoundary>
        <ActivityLink />
      </PartOfPage>
      <PartOfPage title={t('personal.parts.places')}>
        <PlaceLinks account={account} />
      </PartOfPage>
      <PartOfPage title={t('personal.parts.data')}>
        <ChunkBoundary>
          <LeavingRows account={account} />
        </ChunkBoundary>
      </PartOfPage>
      <SignOut />
      {dialog}
    </>
  );
};

/** The page of the account: its profile, its ways to sign in, links to its devices and apps, and its data. */
export const PersonalPage = () => {
  const { t } = useTranslation('account');
  const { data: account, error, refetch, isFetching } = useQuery(accountQuery);
  if (account) return <Loaded account={account} />;
  return (
    <>
      <PageHeading title={t('personal.title')} />
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
};
