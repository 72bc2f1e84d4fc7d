import type { DeskClient } from '@candela/contract';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { Changes } from '../../../console/sections/history.tsx';
import { UsageChart } from '../../../console/sections/usage-chart.tsx';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { PagedList } from '../../../portal/account/paged-list.tsx';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { notify } from '../../../portal/components/toast.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import filters from '../../components/filters.module.css';
import { Note } from '../../components/note.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import section from '../../components/section.module.css';
import { Section } from '../../components/section.tsx';
import { act } from '../../queries.ts';
import { appErrorsQuery, appHistoryQuery, appKey, appQuery } from '../../service-queries.ts';
import { useMay } from '../../staff.ts';
import { AppErrors } from './app-errors.tsx';
import { AppFacts } from './app-facts.tsx';
import { Members } from './members.tsx';

/** Switches the app off, or on again: an operator does it, with a reason. */
const Switch = ({ client }: Pick<DeskClient, 'client'>) => {
  const { t } = useTranslation('desk');
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { client_id: id, client_name: name, disabled } = client;
  const params = { id };
  const onDone = async () => {
    notify(t('app.done'));
    await queries.invalidateQueries({ queryKey: appKey(id) });
    setAsking(false);
    focusSoon(() => document.querySelector('h1'));
  };
  return (
    <>
      <Button
        className={filters.atEnd}
        look={disabled ? 'secondary' : 'danger'}
        onClick={() => {
          prepareDialog();
          setAsking(true);
        }}
      >
        {disabled ? t('desk.apps.enable') : t('desk.apps.disable')}
      </Button>
      {asking && (
        <ReasonDialog
          title={disabled ? t('desk.apps.enableTitle', { name }) : t('desk.apps.disableTitle', { name })}
          text={disabled ? t('desk.apps.enableText') : t('desk.apps.disableText')}
          action={disabled ? t('desk.apps.enable') : t('desk.apps.disable')}
          carryOut={(reason) =>
            act(() =>
              disabled
                ? call('POST /api/desk/clients/:id/enable', { params, body: { reason } })
                : call('POST /api/desk/clients/:id/disable', { params, body: { reason } }),
            )
          }
          onDone={onDone}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};

const History = ({ id }: { id: string }) => {
  const { t } = useTranslation('desk');
  const query = useInfiniteQuery(appHistoryQuery(id));
  return (
    <section className={section.section} data-section="history" aria-labelledby="app-history">
      <h2 className={section.heading} id="app-history">
        {t('desk.apps.history')}
      </h2>
      <PagedList query={query}>{(changes) => <Changes changes={changes} />}</PagedList>
    </section>
  );
};

const Loaded = ({ app: { client, health, members } }: { app: DeskClient }) => {
  const { t } = useTranslation('desk');
  const may = useMay();
  const errors = useInfiniteQuery(appErrorsQuery(client.client_id));
  return (
    <div className={filters.page}>
      <div className={filters.filters}>
        <PageHeading title={client.client_name} />
        {may('operator') && <Switch key={String(client.disabled)} client={client} />}
      </div>
      {client.disabled && <Note tone="bad" title={t('desk.apps.isDisabled')} />}
      <div className={filters.columns}>
        <AppFacts client={client} health={health} />
        <Section name="usage" title={t('desk.apps.usage')}>
          <div className={filters.chart}>
            <UsageChart days={health.days} />
          </div>
        </Section>
      </div>
      <Members members={members} />
      <AppErrors query={errors} />
      <History id={client.client_id} />
    </div>
  );
};

/** One app: how it fares, who manages it, its errors and its history. */
export const AppPage = () => {
  const { t } = useTranslation('desk');
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(appQuery(id));
  if (data) return <Loaded key={data.client.client_id} app={data} />;
  if (!(error instanceof ApiError)) return <Skeleton heights={[90, 220, 220]} />;
  const isGone = error.code === 'not_found';
  return (
    <div className={filters.page}>
      <PageHeading title={isGone ? t('desk.apps.goneTitle') : t('desk.apps.title')} />
      {isGone ? (
        <p>{t('desk.apps.goneText')}</p>
      ) : (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
    </div>
  );
};
