import type { ClientSummary } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import styles from './approval-screen.module.css';

/** Programs on this device answer there. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Says what nobody has checked about an app, and, where it describes itself, who does that and who gets the answer. */
export const Unchecked = ({ client: { documentHost, host, verified } }: { client: ClientSummary }) => {
  const { t } = useTranslation();
  if (verified) return null;
  if (!documentHost)
    return <p className={styles.small}>{t('consent.unverified', { brand: boot.brand.name })}</p>;
  return (
    <div>
      <p>{t('consent.selfDescribed', { host: documentHost })}</p>
      {host !== documentHost && (
        <p>{LOOPBACK.test(host) ? t('consent.answersHere') : t('consent.answersAt', { host })}</p>
      )}
    </div>
  );
};
