import { type Locale, languages, locales } from '@candela/contract/languages';
import { useTranslation } from 'react-i18next';
import { choose } from '../../shell/frame/language-switch.tsx';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './language-picker.module.css';

/** A picker of the languages, for little room. */
export const LanguagePicker = ({ onChoose }: { onChoose: (locale: Locale) => void }) => {
  const { t } = useTranslation();
  const current = useLocale();
  return (
    <span className={styles.picker}>
      <select
        className={styles.select}
        aria-label={t('app.language')}
        value={current}
        onChange={(event) => {
          const locale = locales.find((candidate) => candidate === event.target.value);
          if (locale) choose(locale, onChoose);
        }}
      >
        {locales.map((locale) => (
          <option key={locale} value={locale} lang={locale}>
            {languages[locale].name}
          </option>
        ))}
      </select>
    </span>
  );
};
