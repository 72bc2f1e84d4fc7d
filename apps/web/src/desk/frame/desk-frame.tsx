import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError, serverNow } from '../../shell/api/client.ts';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import prose from '../../shell/components/prose.module.css';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { FootLinks } from '../../shell/frame/page-footer.tsx';
import { deskQuery } from '../queries.ts';
import { StaffContext } from '../staff.ts';
import { DeskBar } from './desk-bar.tsx';
import styles from './desk-frame.module.css';
import { DeskHours } from './desk-hours.tsx';
import { OpenDesk } from './open-desk.tsx';

/** The desk as the server knows it, which is asked again when the desk is about to close. */
const useDesk = () => {
  const query = useQuery(deskQuery);
  const { data, refetch } = query;
  const closesAt = data?.open && Math.min(Date.parse(data.open.endsAt), Date.parse(data.open.idleEndsAt));
  useEffect(() => {
    if (!closesAt) return;
    const timer = setTimeout(() => void refetch(), Math.max(0, closesAt - serverNow()) + 1_000);
    return () => clearTimeout(timer);
  }, [closesAt, refetch]);
  return query;
};

/** What stands in the column while nobody's desk is open. */
const Closed = ({
  query: { data: desk, error, isFetching, refetch },
}: {
  query: ReturnType<typeof useDesk>;
}) => {
  const { t } = useTranslation('desk');
  const problem = error instanceof ApiError ? error : undefined;
  if (problem?.code === 'not_found') {
    return (
      <>
        <PageHeading title={t('desk.open.goneTitle')} />
        <p className={prose.lead}>{t('desk.open.goneText')}</p>
      </>
    );
  }
  if (desk) return <OpenDesk desk={desk} />;
  return (
    <>
      <PageHeading title={t('desk.title')} />
      {problem ? (
        <ListFailure
          title={t('desk.open.failedTitle')}
          error={problem}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton heights={[60, 240]} />
      )}
    </>
  );
};

/** The bar and the column of the desk. What is in it shows once the desk is open. */
export const DeskFrame = ({ children }: { children: ReactNode }) => {
  const query = useDesk();
  const { data: desk, error } = query;
  const isGone = error instanceof ApiError && error.code === 'not_found';
  const staff = desk?.open && !isGone ? desk : undefined;
  return (
    <StaffContext value={staff}>
      <DeskBar />
      <main className={styles.main} id="main">
        {staff ? children : <Closed query={query} />}
      </main>
      <footer className={styles.footer}>
        {staff && <DeskHours />}
        <FootLinks newTab />
      </footer>
    </StaffContext>
  );
};
