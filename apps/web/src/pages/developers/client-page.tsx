import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../api/client.ts';
import { ListFailure } from '../../components/list-states.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { clientQuery } from './queries.ts';
import { Errors } from './sections/errors.tsx';
import { Snippets } from './sections/snippets.tsx';
import { TryIt } from './sections/try-it.tsx';
import { Usage } from './sections/usage.tsx';

/** One client: its registration, its trial, its errors, its end. */
export const ClientPage = () => {
  const { t } = useTranslation('developers');
  const { id = '' } = useParams();
  const { data: client, error, isFetching, refetch } = useQuery(clientQuery(id));
  if (!client) {
    return (
      <>
        <PageHeading title={t('client.title')} />
        {error instanceof ApiError ? (
          <ListFailure
            title={t('client.failedTitle')}
            error={error}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton heights={[120, 240, 240]} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeading title={client.client_name} />
      <TryIt client={client} />
      <Snippets client={client} />
      <Errors client={client} />
      <Usage client={client} />
    </>
  );
};
