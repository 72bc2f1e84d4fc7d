import type { UndoDetails } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import linkButton from '../../components/link-button.module.css';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { emptyDraft, withIdentifier } from '../../identifier/draft.ts';
import { useUndo } from './use-undo.ts';

interface ScreenProps {
  heading: string;
  invalid?: boolean;
  /** The brightness of the lamp, from 0 to 1. */
  lamp: number;
  children: ReactNode;
}

const Screen = ({ heading, invalid = false, lamp, children }: ScreenProps) => {
  const { t } = useTranslation('activity');
  useLamp(lamp);
  return (
    <div className={column.column}>
      <PageHeading title={t('undo.title')} invalid={invalid}>
        {heading}
      </PageHeading>
      {children}
    </div>
  );
};

/** A link to the recovery, with the identifier filled in where it is known. */
const ToRecovery = ({ identifier }: { identifier?: string }) => {
  const { t } = useTranslation('activity');
  const locale = useLocale();
  const draft = identifier && withIdentifier(emptyDraft(locale), identifier, undefined);
  return (
    <Actions>
      <Link className={linkButton.button} to={RECOVERY_PAGE} state={draft ? { draft } : null}>
        {t('undo.recover')}
      </Link>
    </Actions>
  );
};

/** A sentence about the change, made or waiting, about what was added, or about a recovery that waits. */
const WhatHappened = ({ details }: { details: UndoDetails }) => {
  const { t } = useTranslation('activity');
  const { kind, identifier, replacement = '', waits, requestedAt } = details;
  const what = details.replacement === undefined ? 'removed' : 'replaced';
  const sentence = (when: string): string => {
    if (kind === 'recovery') return t('undo.recovery.asked', { identifier, when });
    if (kind === 'totp' || kind === 'passkey' || kind === 'recovery_codes')
      return t(`undo.added.${kind}`, { when });
    return t(`undo.${kind}.${waits ? 'waits' : 'done'}.${what}`, { identifier, replacement, when });
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

/** The page of the link in a notice. It describes the change, and a button undoes the change. */
export const UndoPage = () => {
  const { t } = useTranslation('activity');
  const { hash } = useLocation();
  const { state, undo, problem, look } = useUndo(hash.slice(1));

  if (state.at === 'looking') {
    return (
      <Screen heading={t('undo.title')} lamp={0.3}>
        <Skeleton heights={[72, 48]} />
      </Screen>
    );
  }
  if (state.at === 'failed') {
    return (
      <Screen heading={t('undo.failedTitle')} invalid lamp={0.2}>
        <ErrorSummary errors={{ form: state.problem }} fields={[]} />
        <Button onClick={() => void look()}>{t('app.retry')}</Button>
      </Screen>
    );
  }
  if (state.at === 'dead') {
    return (
      <Screen heading={t('undo.deadTitle')} invalid lamp={0.2}>
        <p className={prose.lead}>{t('undo.deadText')}</p>
        <ToRecovery />
      </Screen>
    );
  }
  if (state.at === 'done' && state.details?.kind === 'recovery') {
    const { identifier } = state.details;
    return (
      <Screen heading={t('undo.recovery.doneTitle')} lamp={1}>
        <p className={prose.lead} role="status">
          {t('undo.recovery.doneText', { identifier })}
        </p>
      </Screen>
    );
  }
  if (state.at === 'done') {
    return (
      <Screen heading={t('undo.doneTitle')} lamp={1}>
        <p className={prose.lead} role="status">
          {t('undo.doneText')}
        </p>
        <ToRecovery {...(state.identifier !== undefined && { identifier: state.identifier })} />
      </Screen>
    );
  }
  const isRecovery = state.details.kind === 'recovery';
  return (
    <Screen heading={t('undo.question')} lamp={0.5}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>
        <WhatHappened details={state.details} />
      </p>
      <p className={prose.lead}>
        <Moment at={state.details.requestedAt} show="zoned" />
      </p>
      <p className={prose.lead}>{t(isRecovery ? 'undo.recovery.ends' : 'undo.ends')}</p>
      <Button look="primary" busy={undo.busy} onClick={() => undo.run()}>
        {t(isRecovery ? 'undo.recovery.action' : 'undo.action')}
      </Button>
      <p className={prose.lead}>
        <IfItWasMe details={state.details} />
      </p>
    </Screen>
  );
};
