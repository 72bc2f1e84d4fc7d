import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { announce } from '../../../shell/components/announcer.tsx';
import { formatHour } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import styles from './caller-digits.module.css';

interface CallerDigitsProps {
  digits: string;
  until: string | undefined;
}

/** The two digits that the person reads to whoever answers their call. */
export const CallerDigits = ({ digits, until }: CallerDigitsProps) => {
  const { t } = useTranslation('security');
  const locale = useLocale();
  const title = t('callerDigits.title');
  useEffect(() => announce(title), [title]);
  return (
    <section className={styles.call} aria-labelledby="caller-digits">
      <h2 id="caller-digits">{title}</h2>
      <p>{t('callerDigits.text')}</p>
      <p className={styles.digits} translate="no">
        {digits}
      </p>
      <p className={styles.quiet}>{t('callerDigits.warning')}</p>
      {until && (
        <p className={styles.quiet}>
          <Phrase text={(when) => t('callerDigits.until', { when })}>
            <time dateTime={until}>{formatHour(new Date(until), locale)}</time>
          </Phrase>
        </p>
      )}
    </section>
  );
};
