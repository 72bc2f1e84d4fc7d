import { useSyncExternalStore } from 'react';
import { formatDay, formatMoment, formatRelative } from '../i18n/format.ts';
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
  const locale = useLocale();
  const now = useSyncExternalStore(everyMinute, currentMinute);
  const date = new Date(at);
  const exact = formatMoment(date, locale);
  return (
    <time dateTime={at} title={exact}>
      {relative ? formatRelative(date, new Date(now), locale) : formatDay(date, locale)}
      {showsExact && <span className={styles.exact}> · {exact}</span>}
    </time>
  );
};
