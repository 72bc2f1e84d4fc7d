import type { DeskFound } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Facts } from '../../components/facts.tsx';
import styles from './search-page.module.css';

/** What an error page was about, which a person read out by its reference. */
export const FoundError = ({ error }: { error: NonNullable<DeskFound['error']> }) => {
  const { t } = useTranslation('desk');
  const { clientId, at, error: name, reason } = error;
  return (
    <div className={styles.error}>
      <p>{t('desk.search.errorText')}</p>
      <Facts
        facts={[
          [t('desk.search.errorApp'), <code key="app">{clientId}</code>],
          [
            t('desk.search.errorWhat'),
            <code key="what">
              {name}: {reason}
            </code>,
          ],
        ]}
      />
      <p className={styles.left}>
        <Phrase text={(when) => t('desk.search.errorAt', { when })}>
          <Moment at={at} show="both" />
        </Phrase>
      </p>
    </div>
  );
};
