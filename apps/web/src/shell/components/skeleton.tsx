import { useTranslation } from 'react-i18next';
import styles from './skeleton.module.css';

/** A placeholder for content that loads. It appears only after a moment. */
export const Skeleton = ({ heights, label }: { heights: readonly number[]; label?: string }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.skeleton} data-waiting="">
      <span className="visually-hidden">{label ?? t('app.loading')}</span>
      {heights.map((height, index) => (
        <div key={index} className={styles.bar} style={{ height }} />
      ))}
    </div>
  );
};
