import { type Locale, locales } from '@candela/contract';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { boot } from '../boot.ts';
import { bring } from '../bring.ts';
import type { Catalog, MoreCatalog } from './catalog.ts';
import { chosenLocale, localeCookie } from './locale-choice.ts';

interface Language {
  /** The texts of the sign-in screens. */
  first: () => Promise<Catalog>;
  /** Those of all other pages, which a sign-in does not wait for. */
  more: () => Promise<MoreCatalog>;
}

const languages: Record<Locale, Language> = {
  en: {
    first: async () => (await bring(() => import('./en/flow.ts'))).en,
    more: async () => (await bring(() => import('./en/account.ts'))).enMore,
  },
  'zh-Hant': {
    first: async () => (await bring(() => import('./zh-Hant/flow.ts'))).zhHant,
    more: async () => (await bring(() => import('./zh-Hant/account.ts'))).zhHantMore,
  },
  'zh-Hans': {
    first: async () => (await bring(() => import('./zh-Hans/flow.ts'))).zhHans,
    more: async () => (await bring(() => import('./zh-Hans/account.ts'))).zhHansMore,
  },
  ru: {
    first: async () => (await bring(() => import('./ru/flow.ts'))).ru,
    more: async () => (await bring(() => import('./ru/account.ts'))).ruMore,
  },
};

let needsMore = false;
let shown: Locale = locales[0];

/** The brand's own words; where they cannot be had it is the built-in ones. */
const loadOwn = async (locale: Locale): Promise<Readonly<Record<string, string>> | undefined> => {
  const own = boot.texts?.[locale];
  if (typeof own !== 'string') return own;
  const answer = await fetch(own).catch(() => undefined);
  return answer?.ok ? answer.json() : undefined;
};

/** Brings the texts of a language, so that it can be shown at once. */
export const loadTexts = async (locale: Locale): Promise<void> => {
  const { first, more } = languages[locale];
  const [own, ...texts] = await Promise.all([loadOwn(locale), first(), ...(needsMore ? [more()] : [])]);
  // Before the others, which leave what is there.
  if (own) i18next.addResources(locale, 'translation', own);
  for (const part of texts) i18next.addResourceBundle(locale, 'translation', part, true);
};

const started = i18next.use(initReactI18next).init({
  supportedLngs: locales,
  resources: {},
  fallbackLng: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** The language asked for last: the texts of an earlier one may come later. */
let wanted: Locale = locales[0];

const show = async (locale: Locale, beforeChange = () => {}): Promise<void> => {
  wanted = locale;
  await Promise.all([loadTexts(locale), started]);
  if (wanted !== locale && i18next.language) return;
  beforeChange();
  await i18next.changeLanguage(locale);
  shown = locale;
  document.documentElement.lang = locale;
};

/** English, where the texts of a language cannot be loaded. */
const showEnglishInstead =
  (locale: Locale) =>
  async (error: unknown): Promise<void> => {
    if (locale === 'en') throw error;
    await show('en');
  };

/** Shows the first language, or else English; nothing can be drawn before. */
export const startI18n = (locale: Locale): Promise<void> => {
  shown = locale;
  return show(locale).catch(showEnglishInstead(locale));
};

let more: Promise<void> | undefined;

/** Brings the texts of the pages beside the sign-in, in this and every later language. */
export const loadMoreTexts = (): Promise<void> => {
  needsMore = true;
  more ??= loadTexts(shown)
    .catch(showEnglishInstead(shown))
    .catch((error: unknown) => {
      more = undefined;
      throw error;
    });
  return more;
};

/**
 * The person’s own choice: it outlives the visit and wins over what an app asks for. Where its texts cannot be
 * loaded, everything stays as it was.
 */
export const chooseLocale = (locale: Locale): Promise<void> =>
  show(locale, () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and absent from Firefox
    document.cookie = localeCookie(locale);
  });

/** The language an app asked for, unless the person has chosen one. */
export const suggestLocale = async (locale: Locale): Promise<void> => {
  if (!chosenLocale(document.cookie) && shown !== locale) await show(locale);
};
