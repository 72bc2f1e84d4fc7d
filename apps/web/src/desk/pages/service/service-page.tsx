import { type ServiceSpan, serviceSpans } from '@candela/contract/rules/service-spans';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import filters from '../../components/filters.module.css';
import { serviceQuery } from '../../service-queries.ts';
import { Counts } from './counts.tsx';
import { State } from './state.tsx';

/** How the service fares. */
export const ServicePage = () => {
  const { t } = useTranslation('desk');
  const [span, setSpan] = useState<ServiceSpan>('day');
  const { data, error, isFetching, refetch } = useQuery(serviceQuery(span));
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.service.title')} />
        <p className={prose.lead}>{t('desk.service.text')}</p>
      </div>
      <div className={filters.filters}>
        <label className={filters.filter}>
          {t('desk.service.span')}
          <select
            value={span}
            onChange={({ target }) => setSpan(serviceSpans.find((known) => known === target.value) ?? 'day')}
          >
            {serviceSpans.map((known) => (
              <option key={known} value={known}>
                {t(`desk.service.spans.${known}`)}
              </option>
            ))}
          </select>
        </label>
        <Button className={filters.atEnd} busy={isFetching} onClick={() => void refetch()}>
          {t('desk.service.refresh')}
        </Button>
      </div>
      {data && (
        <>
          <State service={data} />
          <Counts service={data} />
        </>
      )}
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[160, 280, 280]} />}
    </div>
  );
};
