import { useTranslation } from 'react-i18next';
import { Moment } from '../../../../flow/components/moment.tsx';
import { Phrase } from '../../../../flow/components/phrase.tsx';
import styles from './ways-section.module.css';

interface UseFactsProps {
  /** When the way in was added, and the text that says so around the day. */
  since: string;
  sinceText: (when: string) => string;
  lastUsedAt: string | undefined;
  never: string;
}

/** Since when a way in is there, and when it was used last. */
export const UseFacts = ({ since, sinceText, lastUsedAt, never }: UseFactsProps) => {
  const { t } = useTranslation('security');
  return (
    <>
      <span className={styles.facts}>
        <Phrase text={sinceText}>
          <Moment at={since} show="date" />
        </Phrase>
      </span>
      <span className={styles.facts}>
        {lastUsedAt ? (
          <Phrase text={(when) => t('ways.used', { when })}>
            <Moment at={lastUsedAt} show="distance" />
          </Phrase>
        ) : (
          never
        )}
      </span>
    </>
  );
};
