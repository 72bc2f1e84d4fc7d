import type { InteractionDetails } from '@candela/contract';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../shell/api/client.ts';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import prose from '../../shell/components/prose.module.css';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { useOnReconnect } from '../../shell/connection/connection.ts';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { useInteraction } from './use-interaction.ts';

export interface ReadyInteraction {
  uid: string;
  details: InteractionDetails;
  /** Fetches the interaction again. */
  reload: () => void;
  /** The same, but a page in which somebody has typed stays as it is where that fails: it throws an ApiError. */
  renew: () => Promise<void>;
  /** Ends the page because of an error, such as an expired interaction. */
  fail: (error: ApiError) => void;
}

interface InteractionGateProps {
  title: string;
  /** The heights of the bars of the placeholder, in pixels. */
  heights?: readonly number[];
  children: (interaction: ReadyInteraction) => ReactNode;
}

/** The heights for the app that asks and a form of two fields. */
const FORM = [66, 48, 72, 72, 48];

/** Loads the interaction of the page, and renders the page with it. Shows a failure with a way to go on. */
export const InteractionGate = ({ title, heights = FORM, children }: InteractionGateProps) => {
  const { state, reload, renew, fail } = useInteraction();
  if (state.status === 'ready') {
    return children({ uid: state.uid, details: state.details, reload: () => reload(), renew, fail });
  }
  if (state.status === 'loading') return <Loading title={title} heights={heights} />;
  const isOver = state.error.code === 'interaction_expired' || state.error.code === 'not_found';
  if (isOver) return <Ended title={title} uid={state.uid} />;
  return <Failed error={state.error} onRetry={() => reload()} />;
};

const Loading = ({ title, heights = FORM }: { title: string; heights?: readonly number[] }) => (
  <div className={column.column}>
    <PageHeading title={title} />
    <Skeleton heights={heights} />
  </div>
);

/** Leads to the server's page for an ended interaction, which has the reason and the place to start again. */
const Ended = ({ title, uid }: { title: string; uid: string }) => {
  useEffect(() => location.replace(uid ? `/interaction/${encodeURIComponent(uid)}?ended` : '/error'), [uid]);
  return <Loading title={title} />;
};

const Failed = ({ error, onRetry }: { error: ApiError; onRetry: () => void }) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  useLamp(0);
  useOnReconnect(onRetry);
  return (
    <div className={column.column}>
      <PageHeading title={t('flow.failedTitle')} invalid />
      <p className={prose.lead}>{problemText(error)}</p>
      <Actions>
        <Button look="primary" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      </Actions>
    </div>
  );
};
