import type { ClientSummary, InteractionDetails } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ApiError } from '../api/client.ts';
import { Actions } from '../components/actions.tsx';
import { Button } from '../components/button.tsx';
import { useLamp } from '../components/flow-frame.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import stack from '../components/stack.module.css';
import { useProblemText } from '../forms/form-errors.ts';
import { useInteraction } from './use-interaction.ts';

export interface ReadyInteraction {
  uid: string;
  details: InteractionDetails;
  /** Asks the server again. */
  reload: () => void;
  /** Shows an error that ends the page, such as an interaction that has expired. */
  fail: (error: ApiError) => void;
}

interface InteractionGateProps {
  title: string;
  children: (interaction: ReadyInteraction) => ReactNode;
}

/** Loads the interaction of the page; shows what stands in the way of it, with a way on. */
export const InteractionGate = ({ title, children }: InteractionGateProps) => {
  const { state, reload, fail } = useInteraction();
  if (state.status === 'ready') {
    return children({ uid: state.uid, details: state.details, reload: () => reload(), fail });
  }
  if (state.status === 'loading') return <Loading title={title} />;
  const isOver = state.error.code === 'interaction_expired' || state.error.code === 'not_found';
  return isOver ? <Expired client={state.client} /> : <Failed error={state.error} onRetry={() => reload()} />;
};

const Loading = ({ title }: { title: string }) => (
  <div className={stack.stack}>
    <PageHeading title={title} />
    <Skeleton heights={[66, 48, 72, 72, 48]} />
  </div>
);

const Expired = ({ client }: { client: ClientSummary | undefined }) => {
  const { t } = useTranslation();
  useLamp(0);
  return (
    <div className={stack.stack}>
      <PageHeading title={t('flow.expiredTitle')} invalid />
      <p className={stack.lead}>{t('flow.expiredText')}</p>
      <Actions>
        {client?.uri ? (
          <a className={stack.button} href={client.uri}>
            {t('flow.backToApp', { app: client.name })}
          </a>
        ) : (
          <Link className={stack.button} to="/index" reloadDocument>
            {t('flow.toAccountPage')}
          </Link>
        )}
      </Actions>
    </div>
  );
};

const Failed = ({ error, onRetry }: { error: ApiError; onRetry: () => void }) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  useLamp(0);
  return (
    <div className={stack.stack}>
      <PageHeading title={t('flow.failedTitle')} invalid />
      <p className={stack.lead}>{problemText(error)}</p>
      <Actions>
        <Button look="primary" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      </Actions>
    </div>
  );
};
