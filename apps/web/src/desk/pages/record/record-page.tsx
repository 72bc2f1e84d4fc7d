import type { RecordEntry } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Moment } from '../../../flow/components/moment.tsx';
import { PagedList } from '../../../portal/account/paged-list.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import filters from '../../components/filters.module.css';
import section from '../../components/section.module.css';
import { Nothing } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { type RecordFilter, recordQuery } from '../../queries.ts';
import { RecordFilters } from './record-filters.tsx';
import styles from './record-page.module.css';
import { useActionName } from './use-action-name.ts';

interface WhoProps {
  by: RecordEntry['by'];
  onOnly: (staff: string) => void;
}

/** Who looked or acted; the name of staff leads to all that they did. */
const Who = ({ by: { kind, account, name, role }, onOnly }: WhoProps) => {
  const { t } = useTranslation('desk');
  return (
    <>
      {account ? (
        <button
          type="button"
          className={styles.who}
          aria-label={t('desk.record.ofStaff', { name })}
          onClick={() => onOnly(account)}
        >
          {name}
        </button>
      ) : (
        name
      )}
      <span className={filters.quiet}>
        {kind === 'command' ? t('desk.record.command') : role && t(`desk.roles.${role}`)}
      </span>
    </>
  );
};

const What = ({ entry: { action, subject } }: { entry: RecordEntry }) => {
  const actionName = useActionName();
  return (
    <>
      {actionName(action)}
      {subject && (
        <span className={filters.quiet} translate="no">
          {subject}
        </span>
      )}
    </>
  );
};

/** Every look and act, newest first. */
export const RecordPage = () => {
  const { t } = useTranslation('desk');
  const [address, setAddress] = useSearchParams();
  const [chosen, setFilter] = useState<RecordFilter>({});
  const filter = { ...chosen, account: address.get('account') ?? undefined };
  const query = useInfiniteQuery(recordQuery(filter));
  const named = (items: readonly RecordEntry[]) =>
    items.find(({ by }) => by.account === filter.staff)?.by.name ?? filter.staff;
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.record.title')} />
        <p className={prose.lead}>{t('desk.record.text')}</p>
      </div>
      <RecordFilters
        filter={filter}
        staffName={filter.staff && named(items)}
        onAction={(action) => setFilter({ ...chosen, action })}
        onClear={() => {
          setFilter({});
          setAddress({}, { replace: true });
        }}
      />
      <PagedList query={query}>
        {(entries) => (
          <div className={section.card}>
            {entries.length === 0 ? (
              <Nothing>{t('desk.record.none')}</Nothing>
            ) : (
              <Table
                caption={t('desk.record.title')}
                rows={entries}
                keyOf={({ entry }) => String(entry)}
                columns={[
                  { heading: t('desk.record.entry'), cell: ({ entry }) => entry },
                  { heading: t('desk.record.at'), cell: ({ at }) => <Moment at={at} /> },
                  {
                    heading: t('desk.record.who'),
                    cell: ({ by }) => <Who by={by} onOnly={(staff) => setFilter({ ...chosen, staff })} />,
                  },
                  { heading: t('desk.record.what'), cell: (entry) => <What entry={entry} /> },
                  {
                    heading: t('desk.record.account'),
                    cell: ({ account }) =>
                      account && (
                        <Link to={`/desk/accounts/${account}`} className={filters.name}>
                          <code translate="no">{account}</code>
                        </Link>
                      ),
                  },
                  { heading: t('desk.record.why'), cell: ({ reason }) => reason },
                  {
                    heading: t('desk.record.outcome'),
                    cell: ({ outcome }) => (
                      <span className={styles.outcome} data-outcome={outcome}>
                        {t(`desk.record.outcomes.${outcome}`)}
                      </span>
                    ),
                  },
                  { heading: t('desk.record.from'), cell: ({ from }) => from },
                ]}
              />
            )}
          </div>
        )}
      </PagedList>
    </div>
  );
};
