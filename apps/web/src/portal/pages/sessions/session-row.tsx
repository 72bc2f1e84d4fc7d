import type { Session } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { DeviceFacts, useDeviceName } from '../../../flow/components/device-facts.tsx';
import lit from '../../../flow/components/lit-dot.module.css';
import { Button } from '../../../shell/components/button.tsx';
import { DeviceIcon } from '../../components/device-icon.tsx';
import { RecordRow } from '../../components/record-row.tsx';
import styles from './session-row.module.css';

export const SessionRow = ({ session, onEnd }: { session: Session; onEnd: () => void }) => {
  const { t } = useTranslation('account');
  const device = useDeviceName()(session);
  const action = session.current ? t('personal.signOut') : t('sessions.signOut');
  return (
    <RecordRow
      id={session.id}
      icon={
        <span className={styles.icon}>
          <DeviceIcon platform={`${session.platform} ${session.os.name}`} />
        </span>
      }
      title={
        <h3 className={styles.title}>
          {device}
          {session.current && (
            <span className={`${lit.dot} ${styles.badge}`}>{t('sessions.thisDevice')}</span>
          )}
        </h3>
      }
      facts={<DeviceFacts device={session} />}
      action={
        <Button look="text" aria-label={t('settings.actionOf', { action, what: device })} onClick={onEnd}>
          {action}
        </Button>
      }
    />
  );
};
