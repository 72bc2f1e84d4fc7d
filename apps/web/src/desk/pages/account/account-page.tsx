import type { DeskAccount } from '@candela/contract';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { ListFailure } from '../../../portal/components/list-states.tsx';
import { ApiError } from '../../../shell/api/client.ts';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { Note } from '../../components/note.tsx';
import { deskAccountQuery } from '../../queries.ts';
import { useMay } from '../../staff.ts';
import { AccountHeader } from './account-header.tsx';
import styles from './account-page.module.css';
import { ActDialog } from './act-dialog.tsx';
import { ActivityLog } from './activity-log.tsx';
import { ActsContext, type DoneAct, type WantedAct } from './acts.ts';
import { Apps } from './apps.tsx';
import { CallerCard } from './caller-card.tsx';
import { DoneNote } from './done-note.tsx';
import { HelpCard } from './help-card.tsx';
import { Messages } from './messages.tsx';
import { Notes } from './notes.tsx';
import { Sessions } from './sessions.tsx';
import { SignIn } from './sign-in.tsx';
import { Ways } from './ways.tsx';

interface LoadedProps {
  account: DeskAccount;
  /** Why the account could not be read again. */
  stale: Problem | undefined;
}

const Loaded = ({ account, stale }: LoadedProps) => {
  const { t } = useTranslation('desk');
  const may = useMay();
  const problemText = useProblemText();
  const client = useQueryClient();
  const [wanted, setWanted] = useState<WantedAct>();
  const [done, setDone] = useState<DoneAct>();
  const [reason, setReason] = useState('');
  const { queryKey } = deskAccountQuery(account.id);
  const refresh = () => client.refetchQueries({ queryKey, exact: true });
  const ask = (next: WantedAct) => {
    prepareDialog();
    setWanted(next);
  };
  const onDone = async (what: DoneAct, why: string) => {
    await refresh();
    setReason(why);
    setDone(what);
    setWanted(undefined);
    focusSoon(() => document.getElementById('desk-done'));
  };
  return (
    <ActsContext value={{ account, ask }}>
      <AccountHeader account={account} onRefresh={() => void refresh()} />
      {stale && (
        <div role="alert">
          <Note tone="bad" title={t('desk.account.staleTitle')}>
            {problemText(stale)}
          </Note>
        </div>
      )}
      <div className={styles.columns}>
        <SignIn account={account} />
        <aside className={styles.aside} aria-label={t('desk.account.sections.acts')}>
          {done && <DoneNote key={done.result.entry} done={done} />}
          {may('support') && <CallerCard account={account} />}
          <HelpCard account={account} />
        </aside>
        <div className={styles.facts}>
          <Messages account={account} />
          <Ways account={account} />
          <Sessions account={account} />
          <Apps account={account} />
          <ActivityLog account={account} />
          <Notes account={account} />
        </div>
      </div>
      {wanted && (
        <ActDialog
          account={account}
          wanted={wanted}
          reason={reason}
          onDone={onDone}
          onStale={() => void refresh()}
          onClose={() => setWanted(undefined)}
        />
      )}
    </ActsContext>
  );
};

const Failed = ({ query: { error, isFetching, refetch } }: { query: UseQueryResult<DeskAccount> }) => {
  const { t } = useTranslation('desk');
  if (!(error instanceof ApiError)) return null;
  const isGone = error.code === 'not_found';
  return (
    <div className={styles.waiting}>
      <PageHeading title={isGone ? t('desk.account.goneTitle') : t('desk.title')} />
      {isGone ? (
        <p>{t('desk.account.goneText')}</p>
      ) : (
        <ListFailure
          title={t('desk.account.failedTitle')}
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </div>
  );
};

/** One account, in the order in which a call goes. */
export const AccountPage = () => {
  const { id = '' } = useParams();
  const query = useQuery(deskAccountQuery(id));
  const { data: account, error } = query;
  const problem = error instanceof ApiError ? error : undefined;
  if (account && problem?.code !== 'not_found')
    return <Loaded key={account.id} account={account} stale={problem} />;
  // The heading of the account takes the focus, once it is there.
  return problem ? <Failed query={query} /> : <Skeleton heights={[90, 220, 220]} />;
};
