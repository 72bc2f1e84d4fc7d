import type { DeskApproval } from '@candela/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { notify } from '../../../portal/components/toast.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import { Answers } from '../../components/answers.tsx';
import filters from '../../components/filters.module.css';
import section from '../../components/section.module.css';
import { Nothing } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { approvalsQuery } from '../../queries.ts';
import { AnswerDialog } from './answer-dialog.tsx';

interface Answer {
  approval: DeskApproval;
  approve: boolean;
}

interface AnswerToProps {
  approval: DeskApproval;
  onAnswer: (answer: Answer) => void;
}

/** One's own question is withdrawn, or another operator answers it. */
const AnswerTo = ({ approval, onAnswer }: AnswerToProps) => {
  const { t } = useTranslation('desk');
  const { nickname: name } = approval.account;
  if (approval.own)
    return (
      <>
        <span className={filters.quiet}>{t('desk.approvals.own')}</span>
        <Answers
          no={{ text: t('desk.approvals.withdraw'), label: t('desk.approvals.withdrawOf', { name }) }}
          onAnswer={(approve) => onAnswer({ approval, approve })}
        />
      </>
    );
  return (
    <Answers
      yes={{ text: t('desk.approvals.approve'), label: t('desk.approvals.approveOf', { name }) }}
      no={{ text: t('desk.approvals.decline'), label: t('desk.approvals.declineOf', { name }) }}
      onAnswer={(approve) => onAnswer({ approval, approve })}
    />
  );
};

const Waiting = ({ items }: { items: readonly DeskApproval[] }) => {
  const { t } = useTranslation('desk');
  const client = useQueryClient();
  const [answering, setAnswering] = useState<Answer>();
  const onAnswered = async () => {
    notify(t('app.done'));
    await client.invalidateQueries({ queryKey: approvalsQuery.queryKey });
    setAnswering(undefined);
    focusSoon(() => document.querySelector('h1'));
  };
  return (
    <div className={section.card}>
      {items.length === 0 ? (
        <Nothing>{t('desk.approvals.none')}</Nothing>
      ) : (
        <Table
          caption={t('desk.approvals.title')}
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            {
              heading: t('desk.approvals.account'),
              cell: ({ account }) => (
                <>
                  <Link className={filters.name} to={`/desk/accounts/${account.id}`}>
                    {account.nickname}
                  </Link>
                  <span className={filters.quiet}>{t('desk.approvals.what')}</span>
                </>
              ),
            },
            { heading: t('desk.approvals.reason'), cell: ({ reason }) => reason },
            { heading: t('desk.approvals.by'), cell: ({ askedBy }) => askedBy.nickname },
            {
              heading: t('desk.approvals.at'),
              cell: ({ askedAt }) => <Moment at={askedAt} show="distance" />,
            },
            {
              heading: t('desk.approvals.until'),
              cell: ({ until }) => <Moment at={until} show="distance" />,
            },
            {
              heading: t('desk.approvals.answer'),
              cell: (approval) => <AnswerTo approval={approval} onAnswer={setAnswering} />,
            },
          ]}
        />
      )}
      {answering && (
        <AnswerDialog {...answering} onAnswered={onAnswered} onClose={() => setAnswering(undefined)} />
      )}
    </div>
  );
};

/** What other operators ask of this one. */
export const ApprovalsPage = () => {
  const { t } = useTranslation('desk');
  const { data, error, isFetching, refetch } = useQuery(approvalsQuery);
  return (
    <div className={filters.page}>
      <div>
        <PageHeading title={t('desk.approvals.title')} />
        <p className={prose.lead}>{t('desk.approvals.text')}</p>
      </div>
      {data && <Waiting items={data.items} />}
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[120]} />}
    </div>
  );
};
