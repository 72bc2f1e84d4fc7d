import type { ClientSource, DeskClientList } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClientState } from '../../../console/client-state.tsx';
import { Moment } from '../../../flow/components/moment.tsx';
import { PagedList } from '../../../portal/account/paged-list.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import filters from '../../components/filters.module.css';
import section from '../../components/section.module.css';
import { Nothing } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { appPageOf } from '../../frame/app-page-of.ts';
import { appsQuery } from '../../service-queries.ts';

/** The ways in which an app becomes known; assistants register themselves or have a document. */
const sources = [
  'dynamic',
  'document',
  'console',
  'machine',
  'operator',
  'file',
] as const satisfies readonly ClientSource[];

type App = DeskClientList['items'][number];

const Name = ({ app: { client_id: id, client_name: name } }: { app: App }) => (
  <>
    <Link className={filters.name} to={appPageOf(id)}>
      {name}
    </Link>
    <span className={filters.quiet}>
      <code translate="no">{id}</code>
    </span>
  </>
);

/** All apps, newest first, with what is wrong with each. */
export const AppsPage = () => {
  const { t } = useTranslation('desk');
  const [source, setSource] = useState<ClientSource>();
  const query = useInfiniteQuery(appsQuery(source));
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.apps.title')} />
        <p className={prose.lead}>{t('desk.apps.text')}</p>
      </div>
      <div className={filters.filters}>
        <label className={filters.filter}>
          {t('desk.apps.source')}
          <select
            value={source ?? ''}
            onChange={({ target }) => setSource(sources.find((known) => known === target.value))}
          >
            <option value="">{t('desk.apps.every')}</option>
            {sources.map((known) => (
              <option key={known} value={known}>
                {t(`desk.apps.sources.${known}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedList query={query}>
        {(apps) => (
          <div className={section.card}>
            {apps.length === 0 ? (
              <Nothing>{t('desk.apps.none')}</Nothing>
            ) : (
              <Table
                caption={t('desk.apps.title')}
                rows={apps}
                keyOf={(app) => app.client_id}
                columns={[
                  { heading: t('desk.apps.app'), cell: (app) => <Name app={app} /> },
                  { heading: t('desk.apps.state'), cell: (app) => <ClientState client={app} /> },
                  { heading: t('desk.apps.source'), cell: (app) => t(`desk.apps.sources.${app.source}`) },
                  {
                    heading: t('desk.apps.made'),
                    cell: ({ createdAt }) => <Moment at={createdAt} show="date" />,
                  },
                ]}
              />
            )}
          </div>
        )}
      </PagedList>
    </div>
  );
};
