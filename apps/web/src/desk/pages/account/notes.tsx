import type { DeskAccount } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { ActButton } from './act-button.tsx';
import styles from './notes.module.css';

/** What people at the desk left for whoever answers next. */
export const Notes = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const { notes } = account;
  return (
    <Section name="notes" title={t('desk.account.sections.notes')} beside={<ActButton act="note" />}>
      {notes.length === 0 && <Nothing>{t('desk.account.notes.none')}</Nothing>}
      <ul>
        {notes.map(({ at, by, text }) => (
          <li key={`${at} ${text}`} className={styles.note}>
            <p>{text}</p>
            <p className={styles.by}>
              <Phrase text={(when) => t('desk.account.notes.by', { when, who: by })}>
                <Moment at={at} show="both" />
              </Phrase>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
};
