import type { Disputed } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { Link } from '../../../shell/navigation/link.tsx';
import card from '../../components/card.module.css';
import { ActivityRow } from './activity-row.tsx';
import styles from './take-back.module.css';

interface TakeBackProps {
  disputed: Disputed;
  /** What the session added was to be taken back. */
  asked: boolean;
  onDone: () => void;
}

/** The steps after “this wasn’t me”: the browser is out, what it added is gone, a new password, and what it touched. */
export const TakeBack = ({ disputed, asked, onDone }: TakeBackProps) => {
  const { sessionEnded, touched, tookBack } = disputed;
  const { t } = useTranslation('activity');
  return (
    <section className={`${card.card} ${styles.steps}`} aria-labelledby="take-back">
      <h2 id="take-back" className={styles.title} tabIndex={-1}>
        {t('activity.steps.title')}
      </h2>
      <ol className={styles.list}>
        <li>{sessionEnded ? t('activity.steps.ended') : t('activity.steps.over')}</li>
        {asked && <li>{tookBack ? t('activity.steps.taken') : t('activity.steps.kept')}</li>}
        <li>
          <p>{t('activity.steps.password')}</p>
          <Link to="/index" state={{ setting: 'password' }}>
            {t('activity.steps.setPassword')}
          </Link>
        </li>
        <li>
          <p>{touched.length > 0 ? t('activity.steps.touched') : t('activity.steps.nothing')}</p>
          {touched.length > 0 && (
            <ul className={styles.touched}>
              {touched.map((activity) => (
                <ActivityRow key={activity.id} activity={activity} />
              ))}
            </ul>
          )}
          <p className={styles.links}>
            <Link to="/tokens">{t('activity.steps.apps')}</Link>
            <Link to="/index">{t('activity.steps.settings')}</Link>
          </p>
        </li>
      </ol>
      <Actions>
        <Button onClick={onDone}>{t('activity.steps.done')}</Button>
      </Actions>
    </section>
  );
};
