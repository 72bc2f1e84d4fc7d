import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatMoment, formatRelative, isNow } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import styles from './moment.module.css';

const minuteMs = 60_000;

const everyMinute = (listener: () => void) => {
  const timer = setInterval(listener, minuteMs);
  return () => clearInterval(timer);
};

const currentMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;

interface MomentProps {
  at: string;
  /** How long ago, with the exact time beside it where `exact` is set too. */
  relative?: boolean;
  exact?: boolean;
}

/** A time as people say it, exact when pointed at; it stays true while the page is open. */
export const Moment = ({ at, relative = false, exact: showsExact = false }: MomentProps) => {
  const { t } = useTranslation();
  const locale = useLocale();
  const now = useSyncExternalStore(everyMinute, currentMinute);
  const date = new Date(at);
  const exact = formatMoment(date, locale);
  const told = () => {
    if (!relative) return formatDay(date, locale);
    // What is ahead is not “just” anything.
    const isPast = date.getTime() <= Date.now();
    const seen = new Date(now);
    return isPast && isNow(date, seen) ? t('device.justNow') : formatRelative(date, seen, locale);
  };
  return (
    <time dateTime={at} title={exact}>
      {told()}
      {showsExact && <span className={styles.exact}> · {exact}</span>}
    </time>
  );
};
