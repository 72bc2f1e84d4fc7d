import { type Locale, locales } from '@candela/contract';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Catalog } from './catalog.ts';
import { chosenLocale, localeCookie } from './locale-choice.ts';

const catalogs: Record<Locale, () => Promise<Catalog>> = {
  en: async () => (await import('./en.ts')).en,
  'zh-Hant': async () => (await import('./zh-hant.ts')).zhHant,
  'zh-Hans': async () => (await import('./zh-hans.ts')).zhHans,
  ru: async () => (await import('./ru.ts')).ru,
};

/** Loads the first language; nothing can be drawn before. */
export const startI18n = async (locale: Locale): Promise<void> => {
  const catalog = await catalogs[locale]();
  await i18next.use(initReactI18next).init({
    lng: locale,
    supportedLngs: locales,
    resources: { [locale]: { translation: catalog } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  document.documentElement.lang = locale;
};

const show = async (locale: Locale): Promise<void> => {
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    i18next.addResourceBundle(locale, 'translation', await catalogs[locale]());
  }
  await i18next.changeLanguage(locale);
  document.documentElement.lang = locale;
};

/** The person’s own choice: it outlives the visit and wins over what an app asks for. */
export const chooseLocale = async (locale: Locale): Promise<void> => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and absent from Firefox
  document.cookie = localeCookie(locale);
  await show(locale);
};

/** The language an app asked for, unless the person has chosen one. */
export const suggestLocale = async (locale: Locale): Promise<void> => {
  if (!chosenLocale(document.cookie) && i18next.language !== locale) await show(locale);
};
