import type { Session } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import lit from '../../../flow/components/lit-dot.module.css';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { Button } from '../../../shell/components/button.tsx';
import { formatTimeZone } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { DeviceFacts } from '../../components/device-facts.tsx';
import { DeviceIcon } from '../../components/device-icon.tsx';
import { RecordRow } from '../../components/record-row.tsx';
import { Summary } from '../../components/summary.tsx';
import styles from './session-row.module.css';

export const SessionRow = ({ session, onEnd }: { session: Session; onEnd: () => void }) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const device = useDeviceName()(session);
  const action = session.current ? t('personal.signOut') : t('sessions.signOut');
  const { timeZone } = session;
  return (
    <RecordRow
      id={session.id}
      icon={
        <span className={styles.icon}>
          <DeviceIcon platform={`${session.platform} ${session.os.name}`} />
        </span>
      }
      title={
        <div className={styles.title}>
          <h3 className={styles.name}>{device}</h3>
          {session.current && (
            // The heading above says it to who cannot see the badge.
            <span className={`${lit.dot} ${styles.badge}`} aria-hidden="true">
              {t('sessions.thisDevice')}
            </span>
          )}
        </div>
      }
      subtitle={
        <Summary>
          <Phrase text={(when) => t('sessions.active', { when })}>
            <Moment at={session.lastAccessedAt} show="distance" />
          </Phrase>
          <Phrase text={(when) => t('sessions.since', { when })}>
            <Moment at={session.createdAt} show="date" />
          </Phrase>
          {timeZone && formatTimeZone(timeZone, locale)}
        </Summary>
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
