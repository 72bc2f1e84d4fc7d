import type { SignInNoticed } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { type ReactNode, useState } from 'react';
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
import { formatTimeZone } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import { AddedInSessionList } from '../../components/added-in-session.tsx';
import { useDeviceName } from '../../components/device-facts.tsx';
import linkButton from '../../components/link-button.module.css';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { useSignInLink } from './use-sign-in-link.ts';

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
      <PageHeading title={t('notMe.title')} invalid={invalid}>
        {heading}
      </PageHeading>
      {children}
    </div>
  );
};

const ToRecovery = () => {
  const { t } = useTranslation('activity');
  return (
    <Actions>
      <Link className={linkButton.button} to={RECOVERY_PAGE}>
        {t('notMe.recover')}
      </Link>
    </Actions>
  );
};

/** When and with what the account was signed in to. */
const WhatHappened = ({ signIn }: { signIn: SignInNoticed }) => {
  const { t } = useTranslation('activity');
  const locale = useLocale();
  const device = useDeviceName()(signIn);
  const { at, timeZone } = signIn;
  return (
    <>
      <p className={prose.lead}>
        <Phrase text={(when) => t('notMe.what', { when, device })}>
          <Moment at={at} show="distance" />
        </Phrase>
      </p>
      <p className={prose.lead}>
        <Moment at={at} show="zoned" />
      </p>
      {timeZone && (
        <p className={prose.lead}>{t('notMe.zone', { zone: formatTimeZone(timeZone, locale) })}</p>
      )}
    </>
  );
};

interface QuestionProps {
  signIn: SignInNoticed;
  link: Pick<ReturnType<typeof useSignInLink>, 'disown' | 'problem'>;
}

/** Describes the sign-in. The button ends it, and takes back what it added. */
const Question = ({ signIn, link: { disown, problem } }: QuestionProps) => {
  const { t } = useTranslation('activity');
  const { added = [] } = signIn;
  const [takeBack, setTakeBack] = useState(true);
  const takes = takeBack && added.length > 0;
  return (
    <Screen heading={t('notMe.question')} lamp={0.5}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <WhatHappened signIn={signIn} />
      {added.length > 0 && (
        <AddedInSessionList items={added} takeBack={takeBack} onToggle={() => setTakeBack(!takeBack)} />
      )}
      <p className={prose.lead}>{t('notMe.ends')}</p>
      {takes && <p className={prose.lead}>{t('notMe.closes')}</p>}
      <Button look="primary" busy={disown.busy} onClick={() => disown.run(takes)}>
        {t('notMe.action')}
      </Button>
      <p className={prose.lead}>{t('notMe.wasMe')}</p>
    </Screen>
  );
};

const useDoneText = () => {
  const { t } = useTranslation('activity');
  return ({ sessionEnded, tookBack }: { sessionEnded: boolean; tookBack: boolean }): string => {
    if (tookBack) return t('notMe.takenText');
    return sessionEnded ? t('notMe.doneText') : t('notMe.overText');
  };
};

/** The page of the link in a notice of a sign-in. It describes the sign-in, and a button ends it. */
export const NotMePage = () => {
  const { t } = useTranslation('activity');
  const { hash } = useLocation();
  const { state, disown, problem, look } = useSignInLink(hash.slice(1));
  const doneText = useDoneText();

  switch (state.at) {
    case 'looking':
      return (
        <Screen heading={t('notMe.title')} lamp={0.3}>
          <Skeleton heights={[72, 48]} />
        </Screen>
      );
    case 'failed':
      return (
        <Screen heading={t('notMe.failedTitle')} invalid lamp={0.2}>
          <ErrorSummary errors={{ form: state.problem }} fields={[]} />
          <Button onClick={() => void look()}>{t('app.retry')}</Button>
        </Screen>
      );
    case 'dead':
      return (
        <Screen heading={t('notMe.deadTitle')} invalid lamp={0.2}>
          <p className={prose.lead}>{t('notMe.deadText')}</p>
          <ToRecovery />
        </Screen>
      );
    case 'done':
      return (
        <Screen heading={t('notMe.doneTitle')} lamp={1}>
          <p className={prose.lead} role="status">
            {doneText(state)}
          </p>
          {state.kept && <p className={prose.lead}>{t('activity.steps.kept')}</p>}
          <ToRecovery />
        </Screen>
      );
    case 'ready':
      return <Question signIn={state.signIn} link={{ disown, problem }} />;
  }
};
