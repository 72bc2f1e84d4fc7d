import { type Locale, languages, locales } from '@candela/contract/languages';
import { useTranslation } from 'react-i18next';
import { settle, waitFor } from '../connection/connection.ts';
import { chooseLocale } from '../language/i18n.ts';
import { useLocale } from '../language/use-locale.ts';
import styles from './language-switch.module.css';

/** Changes the language, then calls `onChosen`. The input stays. */
export const choose = (locale: Locale, onChosen?: (locale: Locale) => void): void => {
  chooseLocale(locale).then(
    () => {
      settle();
      onChosen?.(locale);
    },
    () => waitFor({ why: 'language', again: () => choose(locale, onChosen) }),
  );
};

/** A row of links to the languages. Each language has its name in itself. */
export const LanguageLinks = () => {
  const { t } = useTranslation();
  const current = useLocale();
  return (
    <nav className={styles.links} aria-label={t('app.language')}>
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          className={styles.link}
          aria-current={locale === current || undefined}
          onClick={() => choose(locale)}
        >
          {languages[locale].name}
        </button>
      ))}
    </nav>
  );
};
