import { type Locale, locales } from '@candela/contract/languages';

/** Each language by its own name. */
export const localeNames: Record<Locale, string> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
  ru: 'Русский',
};

const oneYearSeconds = 31_536_000;

/** The language this person has chosen before, from a `Cookie` string. */
export const chosenLocale = (cookies: string): Locale | undefined => {
  const value = /(?:^|;\s*)locale=([^;]*)/.exec(cookies)?.[1];
  return locales.find((locale) => locale === value);
};

/** The cookie that keeps the choice; the server reads it too. */
export const localeCookie = (locale: Locale): string =>
  `locale=${locale}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax`;
