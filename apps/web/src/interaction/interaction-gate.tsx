import type { InteractionDetails } from '@candela/contract';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client.ts';
import { Actions } from '../components/actions.tsx';
import { Button } from '../components/button.tsx';
import column from '../components/column.module.css';
import { PageHeading } from '../components/page-heading.tsx';
import prose from '../components/prose.module.css';
import { Skeleton } from '../components/skeleton.tsx';
import { useOnReconnect } from '../connection/connection.ts';
import { useProblemText } from '../forms/form-errors.ts';
import { useLamp } from '../frame/flow-frame.tsx';
import { useInteraction } from './use-interaction.ts';

export interface ReadyInteraction {
  uid: string;
  details: InteractionDetails;
  /** Asks the server again. */
  reload: () => void;
  /** Ends the page, as for an interaction that has expired. */
  fail: (error: ApiError) => void;
}

interface InteractionGateProps {
  title: string;
  /** Of what stands there until the page does, in pixels. */
  heights?: readonly number[];
  children: (interaction: ReadyInteraction) => ReactNode;
}

/** A form of two fields, under the app that asks. */
const FORM = [66, 48, 72, 72, 48];

/** Loads the interaction of the page; shows what stands in the way of it, with a way on. */
export const InteractionGate = ({ title, heights = FORM, children }: InteractionGateProps) => {
  const { state, reload, fail } = useInteraction();
  if (state.status === 'ready') {
    return children({ uid: state.uid, details: state.details, reload: () => reload(), fail });
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

/** The server knows why an interaction is over and where its person can start again: its page takes the place of this one. */
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
