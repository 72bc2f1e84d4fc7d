import { useTranslation } from 'react-i18next';
import styles from './device-code.module.css';

/** The code to compare with the device, and a warning to approve only one's own device (RFC 8628 section 5.4). */
export const DeviceCode = ({ userCode }: { userCode: string }) => {
  const { t } = useTranslation();
  return (
    <div className={styles.card}>
      <p className={styles.label}>{t('consent.deviceCode')}</p>
      <p className={styles.code}>{userCode}</p>
      <p className={styles.warning}>{t('consent.deviceWarning')}</p>
    </div>
  );
};
