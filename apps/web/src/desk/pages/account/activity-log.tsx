import type { Activity, ActivityGroup, DeskAccount } from '@candela/contract';
import { activityGroupNames } from '@candela/contract/rules/activity-kinds';
import { activityText } from '@candela/contract/rules/activity-text';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import filters from '../../components/filters.module.css';
import { MoreRows } from '../../components/more-rows.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { deskActivityQuery } from '../../queries.ts';

type Choice = ActivityGroup | 'all';

const choices: readonly Choice[] = ['all', ...activityGroupNames];

/** The groups of what happened, to choose from. */
const Filter = ({ value, onChange }: { value: Choice; onChange: (choice: Choice) => void }) => {
  const { t } = useTranslation('activity');
  return (
    <label className={filters.filter}>
      {t('activity.filter')}
      <select value={value} onChange={({ target }) => onChange(target.value as Choice)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {t(`activity.groups.${choice}`)}
          </option>
        ))}
      </select>
    </label>
  );
};

/** What happened, in the words that the person reads. */
const What = ({ activity }: { activity: Activity }) => {
  const { t } = useTranslation('activity');
  const { key, values } = activityText(activity);
  const what = t(key, values);
  const name = activity.detail?.name;
  return (
    <>
      {name === undefined ? what : t('activity.named', { what, name })}
      {activity.count !== undefined && (
        <span className={filters.quiet}>{t('activity.tries', { count: activity.count })}</span>
      )}
      {activity.disputedAt && (
        <span className={`${filters.quiet} ${filters.bad}`}>{t('activity.kinds.disputed')}</span>
      )}
    </>
  );
};

/** What happened to the account, newest first. */
export const ActivityLog = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const deviceName = useDeviceName();
  const [choice, setChoice] = useState<Choice>('all');
  const query = useInfiniteQuery(deskActivityQuery(account, choice));
  const { data, error, isFetching, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const title = t('desk.account.sections.activity');
  return (
    <Section name="activity" title={title} beside={<Filter value={choice} onChange={setChoice} />}>
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[120]} />}
      {data && items.length === 0 && <Nothing>{t('desk.account.activityNone')}</Nothing>}
      {items.length > 0 && (
        <Table
          caption={title}
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { heading: t('desk.account.activity.what'), cell: (activity) => <What activity={activity} /> },
            {
              heading: t('desk.account.activity.at'),
              cell: ({ at }) => <Moment at={at} show="time" />,
            },
            {
              heading: t('desk.account.activity.with'),
              cell: ({ browser, os }) => browser && os && deviceName({ browser, os }),
            },
          ]}
        />
      )}
      <MoreRows query={query} />
    </Section>
  );
};
