import type { ClientSummary } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import styles from './approval-screen.module.css';

/** Programs on this device answer there. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Says who describes an app that nobody registered, and who gets the answer. */
export const SelfDescribed = ({ client: { documentHost, host } }: { client: ClientSummary }) => {
  const { t } = useTranslation();
  if (!documentHost) return null;
  return (
    <div className={styles.origin}>
      <p>{t('consent.selfDescribed', { host: documentHost })}</p>
      {host !== documentHost && (
        <p>{LOOPBACK.test(host) ? t('consent.answersHere') : t('consent.answersAt', { host })}</p>
      )}
    </div>
  );
};
