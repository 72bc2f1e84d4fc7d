import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../shell/components/page-heading.tsx';
import { handOver } from './try-it/answer-channel.ts';

/** Hands the answer to an authorization request of a trial to the page that began it, and closes its window. */
export const TrialAnswerPage = () => {
  const { t } = useTranslation('developers');
  useEffect(() => {
    const { search } = location;
    // The code leaves the address bar, and the history of the window.
    history.replaceState(history.state, '', location.pathname);
    if (search) handOver(search);
    window.close();
  }, []);
  return (
    <>
      <PageHeading title={t('trial.answerTitle')} />
      <p>{t('trial.answerText')}</p>
    </>
  );
};
