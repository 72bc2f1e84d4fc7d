import { Moment } from '../../flow/components/moment.tsx';
import { formatHour } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './when.module.css';

const DAY_MS = 86_400_000;

interface WhenProps {
  at: string;
  show: 'distance' | 'date' | 'time';
}

/** A time as it is said on the phone: how far it is, and within a day also the hour. */
export const When = ({ at, show }: WhenProps) => {
  const locale = useLocale();
  const date = new Date(at);
  const isNear = Math.abs(date.getTime() - Date.now()) < DAY_MS;
  return (
    <>
      <Moment at={at} show={show} />
      {show === 'distance' && isNear && <span className={styles.hour}> · {formatHour(date, locale)}</span>}
    </>
  );
};
