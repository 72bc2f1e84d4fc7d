import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './offline-notice.module.css';

const subscribe = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Says so while the browser has no network; what was typed stays meanwhile. */
export const OfflineNotice = () => {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className={styles.region} data-live-announcer="true">
      {!isOnline && <p className={styles.notice}>{t('app.offline')}</p>}
    </div>
  );
};
