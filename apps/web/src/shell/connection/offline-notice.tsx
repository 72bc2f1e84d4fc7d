import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Button } from '../components/button.tsx';
import { settle, useOnline, useWaiting, type Waiting } from './connection.ts';
import styles from './offline-notice.module.css';

const words = {
  unreachable: ['errors.offline', 'app.retry'],
  language: ['app.languageFailed', 'app.retry'],
  outdated: ['app.newVersionText', 'app.reload', 'app.newVersionTitle'],
  broken: ['app.brokenText', 'app.reload', 'app.brokenTitle'],
} as const satisfies Record<Waiting['why'], readonly string[]>;

/** A notice while the browser has no network or a load failed. The page and its input stay. */
export const OfflineNotice = () => {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const waiting = useWaiting();
  const { key } = useLocation();
  // A navigation ends the waiting.
  useEffect(() => settle, [key]);
  const said = waiting && words[waiting.why];
  return (
    <div role="status" className={styles.region} data-live-announcer="true">
      {(waiting || !isOnline) && (
        <div className={styles.notice}>
          {said?.[2] && <strong>{t(said[2])}</strong>}
          <span>{said && isOnline ? t(said[0]) : t('app.offline')}</span>
          {said && (
            <Button look="text" onClick={waiting.again}>
              {t(said[1])}
            </Button>
          )}
        </div>
      )}
    </div>
  );
};
