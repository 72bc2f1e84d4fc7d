import type { Activity } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { Button } from '../../../shell/components/button.tsx';
import { formatHour, formatMoment, formatTimeZone } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import styles from './activity-row.module.css';
import { useSentence } from './use-sentence.ts';

const warnings: ReadonlySet<Activity['kind']> = new Set([
  'new_browser',
  'sign_in_refused',
  'passkey_counter',
  'recovery_wait_started',
  'recovery_code_used',
  'deletion_requested',
]);

interface ActivityRowProps {
  activity: Activity;
  /** Absent: the row only tells. */
  onDispute?: () => void;
}

/** One thing that happened: a sentence, when, with what, and the way to say that it was somebody else. */
export const ActivityRow = ({ activity, onDispute }: ActivityRowProps) => {
  const { t } = useTranslation('activity');
  const locale = useLocale();
  const sentence = useSentence()(activity);
  const deviceName = useDeviceName();
  const { id, at, kind, current, browser, os, timeZone, count, disputable, disputedAt } = activity;
  const time = new Date(at);
  const device = browser && os && deviceName({ browser, os });
  const zone = timeZone && t('activity.zone', { zone: formatTimeZone(timeZone, locale) });
  return (
    <li className={styles.row} data-record={id}>
      <time className={styles.time} dateTime={at} title={formatMoment(time, locale, { zone: true })}>
        {formatHour(time, locale)}
      </time>
      <div className={styles.told}>
        <h3 className={styles.sentence} data-warns={warnings.has(kind) || undefined}>
          {sentence}
        </h3>
        {device && <p className={styles.fact}>{device}</p>}
        {zone && <p className={styles.fact}>{zone}</p>}
        {count !== undefined && <p className={styles.fact}>{t('activity.tries', { count })}</p>}
        {current && <p className={styles.badge}>{t('activity.thisBrowser')}</p>}
        {disputedAt && <p className={styles.fact}>{t('activity.disputed')}</p>}
      </div>
      {disputable && onDispute && (
        <div className={styles.action}>
          <Button look="text" aria-label={t('activity.notMeOf', { what: sentence })} onClick={onDispute}>
            {t('activity.notMe')}
          </Button>
        </div>
      )}
    </li>
  );
};
