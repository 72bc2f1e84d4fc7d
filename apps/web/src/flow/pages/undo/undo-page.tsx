import type { UndoDetails } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { NoticeScreen, NoticeWithoutDetails, ToRecovery } from '../../notice/notice-screen.tsx';
import { useNoticeLink } from '../../notice/use-notice-link.ts';

/** Undoes the change. The answer has the identifier that recovers the account, if any. */
const undoing = {
  look: (token: string) => call('POST /api/undo/look', { body: { token } }),
  act: async (token: string, details: UndoDetails) => {
    const { identifier } = await call('POST /api/undo', { body: { token } });
    return { identifier, details };
  },
};

/** A sentence about the change, made or waiting, about what was added, or about a recovery that waits. */
const WhatHappened = ({ details }: { details: UndoDetails }) => {
  const { t } = useTranslation('activity');
  const { kind, identifier, replacement = '', waits, requestedAt } = details;
  const what = details.replacement === undefined ? 'removed' : 'replaced';
  const sentence = (when: string): string => {
    if (kind === 'recovery') return t('undo.recovery.asked', { identifier, when });
    if (kind === 'phone' || kind === 'email')
      return t(`undo.${kind}.${waits ? 'waits' : 'done'}.${what}`, { identifier, replacement, when });
    return t(`undo.added.${kind}`, { when });
  };
  return (
    <Phrase text={sentence}>
      <Moment at={requestedAt} show="distance" />
    </Phrase>
  );
};

/** What happens if the person lets it be. */
const IfItWasMe = ({ details: { kind, identifier, dueAt } }: { details: UndoDetails }) => {
  const { t } = useTranslation('activity');
  if (dueAt === undefined) return t('undo.wasMe');
  return (
    <Phrase
      text={(when) =>
        kind === 'recovery'
          ? t('undo.recovery.waitsForMe', { identifier, when })
          : t('undo.waitsForMe', { when })
      }
    >
      <Moment at={dueAt} show="zoned" />
    </Phrase>
  );
};

type UndoLink = ReturnType<typeof useNoticeLink<UndoDetails, Awaited<ReturnType<typeof undoing.act>>>>;

/** Describes the change. The button undoes it. */
const Question = ({
  details,
  link,
}: {
  details: UndoDetails;
  link: Pick<UndoLink, 'action' | 'problem'>;
}) => {
  const { t } = useTranslation('activity');
  const { action, problem } = link;
  const isRecovery = details.kind === 'recovery';
  return (
    <NoticeScreen texts="undo" heading={t('undo.question')} lamp={0.5}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>
        <WhatHappened details={details} />
      </p>
      <p className={prose.lead}>
        <Moment at={details.requestedAt} show="zoned" />
      </p>
      <p className={prose.lead}>{t(isRecovery ? 'undo.recovery.ends' : 'undo.ends')}</p>
      <Button look="primary" busy={action.busy} onClick={() => action.run()}>
        {t(isRecovery ? 'undo.recovery.action' : 'undo.action')}
      </Button>
      <p className={prose.lead}>
        <IfItWasMe details={details} />
      </p>
    </NoticeScreen>
  );
};

/** The page of the link in a notice. It describes the change, and a button undoes the change. */
export const UndoPage = () => {
  const { t } = useTranslation('activity');
  const { hash } = useLocation();
  const { state, look, ...link } = useNoticeLink(undoing, hash.slice(1));

  if (state.at === 'ready') return <Question details={state.details} link={link} />;
  if (state.at !== 'done')
    return <NoticeWithoutDetails texts="undo" state={state} onRetry={() => void look()} />;
  const { identifier, details } = state.done;
  const stopped = details.kind === 'recovery';
  return (
    <NoticeScreen texts="undo" heading={t(stopped ? 'undo.recovery.doneTitle' : 'undo.doneTitle')} lamp={1}>
      <p className={prose.lead} role="status">
        {stopped ? t('undo.recovery.doneText', { identifier: details.identifier }) : t('undo.doneText')}
      </p>
      {!stopped && <ToRecovery texts="undo" identifier={identifier} />}
    </NoticeScreen>
  );
};
