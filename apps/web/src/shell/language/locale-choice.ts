import { type Locale, locales } from '@candela/contract/languages';

const oneYearSeconds = 31_536_000;

/** The language that this person chose before, from a `Cookie` string. */
export const chosenLocale = (cookies: string): Locale | undefined => {
  const value = /(?:^|;\s*)locale=([^;]*)/.exec(cookies)?.[1];
  return locales.find((locale) => locale === value);
};

/** The cookie that keeps the choice, for the pages and for the server. */
export const localeCookie = (locale: Locale): string =>
  `locale=${locale}; Path=/; Max-Age=${oneYearSeconds}; SameSite=Lax`;
