import type { SignInNoticed } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { formatTimeZone } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { AddedInSessionList } from '../../components/added-in-session.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { useDeviceName } from '../../components/use-device-name.ts';
import { NoticeScreen, NoticeWithoutDetails, ToRecovery } from '../../notice/notice-screen.tsx';
import { useNoticeLink } from '../../notice/use-notice-link.ts';

/** Ends the sign-in. `kept`: what was to be taken back could not be. */
const disowning = {
  look: (token: string) => call('POST /api/not-me/look', { body: { token } }),
  act: async (token: string, _: SignInNoticed, takeBack: boolean) => {
    const answer = await call('POST /api/not-me', { body: { token, ...(takeBack && { takeBack }) } });
    return { ...answer, kept: takeBack && !answer.tookBack };
  },
};

type Disowned = Awaited<ReturnType<typeof disowning.act>>;

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
  link: Pick<
    ReturnType<typeof useNoticeLink<SignInNoticed, Disowned, [takeBack: boolean]>>,
    'action' | 'problem'
  >;
}

/** Describes the sign-in. The button ends it, and takes back what it added. */
const Question = ({ signIn, link: { action, problem } }: QuestionProps) => {
  const { t } = useTranslation('activity');
  const { added = [] } = signIn;
  const [takeBack, setTakeBack] = useState(true);
  const takes = takeBack && added.length > 0;
  return (
    <NoticeScreen texts="notMe" heading={t('notMe.question')} lamp={0.5}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <WhatHappened signIn={signIn} />
      {added.length > 0 && (
        <AddedInSessionList items={added} takeBack={takeBack} onToggle={() => setTakeBack(!takeBack)} />
      )}
      <p className={prose.lead}>{t('notMe.ends')}</p>
      {takes && <p className={prose.lead}>{t('notMe.closes')}</p>}
      <Button look="primary" busy={action.busy} onClick={() => action.run(takes)}>
        {t('notMe.action')}
      </Button>
      <p className={prose.lead}>{t('notMe.wasMe')}</p>
    </NoticeScreen>
  );
};

const useDoneText = () => {
  const { t } = useTranslation('activity');
  return ({ sessionEnded, tookBack }: Disowned): string => {
    if (tookBack) return t('notMe.takenText');
    return sessionEnded ? t('notMe.doneText') : t('notMe.overText');
  };
};

/** The page of the link in a notice of a sign-in. It describes the sign-in, and a button ends it. */
export const NotMePage = () => {
  const { t } = useTranslation('activity');
  const { hash } = useLocation();
  const { state, look, ...link } = useNoticeLink(disowning, hash.slice(1));
  const doneText = useDoneText();

  if (state.at === 'ready') return <Question signIn={state.details} link={link} />;
  if (state.at !== 'done')
    return <NoticeWithoutDetails texts="notMe" state={state} onRetry={() => void look()} />;
  return (
    <NoticeScreen texts="notMe" heading={t('notMe.doneTitle')} lamp={1}>
      <p className={prose.lead} role="status">
        {doneText(state.done)}
      </p>
      {state.done.kept && <p className={prose.lead}>{t('activity.steps.kept')}</p>}
      <ToRecovery texts="notMe" />
    </NoticeScreen>
  );
};
