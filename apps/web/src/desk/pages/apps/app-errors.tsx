import type { ClientErrorList } from '@candela/contract';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import filters from '../../components/filters.module.css';
import { MoreRows } from '../../components/more-rows.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

/** The refused requests of the last 7 days, as the developers of the app see them. */
export const AppErrors = ({ query }: { query: UseInfiniteQueryResult<InfiniteData<ClientErrorList>> }) => {
  const { t } = useTranslation('desk');
  const { t: tellDeveloper } = useTranslation('developers');
  const items = query.data?.pages.flatMap((page) => page.items);
  const title = t('desk.apps.errors');
  return (
    <Section name="errors" title={title}>
      {!items && <Skeleton heights={[120]} />}
      {items?.length === 0 && <Nothing>{t('desk.apps.noErrors')}</Nothing>}
      {items && items.length > 0 && (
        <Table
          caption={title}
          rows={items}
          keyOf={({ reference, at }) => reference + at}
          columns={[
            {
              heading: t('desk.apps.what'),
              cell: ({ kind, reason }) => (
                <>
                  {tellDeveloper(`trouble.kinds.${kind}.title`)}
                  <span className={filters.quiet} lang="en">
                    {reason}
                  </span>
                </>
              ),
            },
            {
              heading: t('desk.apps.where'),
              cell: ({ endpoint, error }) => (
                <span translate="no">
                  {endpoint}
                  <span className={filters.quiet}>{error}</span>
                </span>
              ),
            },
            {
              heading: t('desk.apps.reference'),
              cell: ({ reference }) => <code translate="no">{reference}</code>,
            },
            { heading: t('desk.apps.when'), cell: ({ at }) => <Moment at={at} /> },
          ]}
        />
      )}
      <MoreRows query={query} />
    </Section>
  );
};
