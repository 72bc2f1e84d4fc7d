import { type Locale, locales } from '@candela/contract/languages';
import { useTranslation } from 'react-i18next';

/** The language on screen. */
export const useLocale = (): Locale => {
  const { i18n } = useTranslation();
  return locales.find((locale) => locale === i18n.language) ?? locales[0];
};
