import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatMoment, formatRelative, isNow } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './moment.module.css';

const minuteMs = 60_000;

const everyMinute = (listener: () => void) => {
  const timer = setInterval(listener, minuteMs);
  return () => clearInterval(timer);
};

const currentMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;

interface MomentProps {
  at: string;
  /** The format: the date, the date and time, the same with the time zone, the distance from now, or both. */
  show?: 'date' | 'time' | 'zoned' | 'distance' | 'both';
}

/** A time, as a distance from now or as a date and time. The distance is updated while the page is open. */
export const Moment = ({ at, show = 'time' }: MomentProps) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const now = useSyncExternalStore(everyMinute, currentMinute);
  const date = new Date(at);
  const zoned = formatMoment(date, locale, { zone: true });
  const distance = () => {
    // Only a time in the past can be “just now”.
    const isPast = date.getTime() <= Date.now();
    const seen = new Date(now);
    return isPast && isNow(date, seen) ? t('device.justNow') : formatRelative(date, seen, locale);
  };
  const text = () => {
    if (show === 'zoned') return zoned;
    if (show === 'date') return formatDate(date, locale);
    return show === 'time' ? formatMoment(date, locale, { zone: false }) : distance();
  };
  return (
    <time dateTime={at} title={zoned} className={styles.moment}>
      {text()}
      {show === 'both' && <span className={styles.exact}> · {zoned}</span>}
    </time>
  );
};
