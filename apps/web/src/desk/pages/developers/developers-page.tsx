import type { DeskDeveloperRequest } from '@candela/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { notify } from '../../../portal/components/toast.tsx';
import { ApiError, call } from '../../../shell/api/client.ts';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import { Answers } from '../../components/answers.tsx';
import filters from '../../components/filters.module.css';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import section from '../../components/section.module.css';
import { Nothing } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { act } from '../../queries.ts';
import { developerRequestsQuery } from '../../service-queries.ts';

interface Answer {
  request: DeskDeveloperRequest;
  approve: boolean;
}

const nameOf = ({ account, identifiers }: DeskDeveloperRequest): string =>
  account.nickname || identifiers.join(' · ');

const AnswerDialog = ({ request, approve, onClose }: Answer & { onClose: () => void }) => {
  const { t } = useTranslation('desk');
  const queries = useQueryClient();
  const name = nameOf(request);
  const params = { id: request.account.id };
  const onDone = async () => {
    notify(t('app.done'));
    await queries.invalidateQueries({ queryKey: developerRequestsQuery.queryKey });
    onClose();
    focusSoon(() => document.querySelector('h1'));
  };
  return (
    <ReasonDialog
      title={approve ? t('desk.developers.allowTitle', { name }) : t('desk.developers.refuseTitle', { name })}
      text={approve ? t('desk.developers.allowText') : t('desk.developers.refuseText')}
      action={approve ? t('desk.developers.allow') : t('desk.developers.refuse')}
      carryOut={(reason) =>
        act(() => call('POST /api/desk/developers/:id', { params, body: { approve, reason } }))
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
};

const Queue = ({ items }: { items: readonly DeskDeveloperRequest[] }) => {
  const { t } = useTranslation('desk');
  const [answering, setAnswering] = useState<Answer>();
  return (
    <div className={section.card}>
      {items.length === 0 ? (
        <Nothing>{t('desk.developers.none')}</Nothing>
      ) : (
        <Table
          caption={t('desk.developers.title')}
          rows={items}
          keyOf={({ account }) => account.id}
          columns={[
            {
              heading: t('desk.developers.who'),
              cell: (request) => (
                <>
                  <Link
                    className={filters.name}
                    to={`/desk/accounts/${encodeURIComponent(request.account.id)}`}
                  >
                    {nameOf(request)}
                  </Link>
                  <span className={filters.quiet}>{request.identifiers.join(' · ')}</span>
                </>
              ),
            },
            { heading: t('desk.developers.why'), cell: ({ why }) => why },
            {
              heading: t('desk.developers.at'),
              cell: ({ askedAt }) => <Moment at={askedAt} show="distance" />,
            },
            {
              heading: t('desk.developers.answer'),
              cell: (request) => {
                const name = nameOf(request);
                return (
                  <Answers
                    yes={{ text: t('desk.developers.allow'), label: t('desk.developers.allowOf', { name }) }}
                    no={{ text: t('desk.developers.refuse'), label: t('desk.developers.refuseOf', { name }) }}
                    onAnswer={(approve) => setAnswering({ request, approve })}
                  />
                );
              },
            },
          ]}
        />
      )}
      {answering && <AnswerDialog {...answering} onClose={() => setAnswering(undefined)} />}
    </div>
  );
};

/** Who asks to register apps. */
export const DevelopersPage = () => {
  const { t } = useTranslation('desk');
  const { data, error, isFetching, refetch } = useQuery(developerRequestsQuery);
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.developers.title')} />
        <p className={prose.lead}>{t('desk.developers.text')}</p>
      </div>
      {data && <Queue items={data.items} />}
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[120]} />}
    </div>
  );
};
