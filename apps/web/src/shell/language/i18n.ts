import { type Locale, locales } from '@candela/contract/languages';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { LanguageTexts } from '../../i18n/texts.ts';
import { boot } from '../boot.ts';
import { bring } from '../bring.ts';
import { chosenLocale, localeCookie } from './locale-choice.ts';

type Group = keyof LanguageTexts;

const files = import.meta.glob<Partial<LanguageTexts>>(
  '../../i18n/*/{flow,account,security,activity,developers,providers}.ts',
);

/** Adds the files of a group that only a room for few people knows: nobody else loads even their names. */
export const addTextFiles = (more: typeof files): void => {
  Object.assign(files, more);
};

/** The groups of texts that the pages of this visit have needed. */
const needed = new Set<Group>(['flow']);
let shown: Locale = locales[0];

/** The brand’s own words; undefined where the brand has none or they did not load. */
const loadOwn = async (locale: Locale): Promise<Readonly<Record<string, string>> | undefined> => {
  const own = boot.texts?.[locale];
  if (typeof own !== 'string') return own;
  const answer = await fetch(own).catch(() => undefined);
  return answer?.ok ? answer.json() : undefined;
};

const loadGroup = async (locale: Locale, group: Group) => {
  const load = files[`../../i18n/${locale}/${group}.ts`];
  if (!load) throw new Error(`There are no texts of ${locale}/${group}`);
  return { group, texts: (await bring(load))[group] };
};

/** Loads the texts of a language, so that the language can be shown at once. */
export const loadTexts = async (locale: Locale): Promise<void> => {
  const [own, ...loaded] = await Promise.all([
    loadOwn(locale),
    ...[...needed].map((group) => loadGroup(locale, group)),
  ]);
  for (const { group, texts } of loaded) {
    // The brand’s own words go first, because a bundle does not overwrite texts.
    if (own) i18next.addResources(locale, group, own);
    i18next.addResourceBundle(locale, group, texts, true);
  }
};

const started = i18next.use(initReactI18next).init({
  supportedLngs: locales,
  resources: {},
  fallbackLng: false,
  defaultNS: 'flow',
  fallbackNS: ['account', 'flow'],
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** The language that was chosen last. The texts of an earlier choice may arrive after its texts. */
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

/** Shows English in place of a language with texts that did not load. */
const showEnglishInstead =
  (locale: Locale) =>
  async (error: unknown): Promise<void> => {
    if (locale === 'en') throw error;
    await show('en');
  };

/** Shows the first language, or English where its texts do not load. React renders only after that. */
export const startI18n = (locale: Locale): Promise<void> => {
  shown = locale;
  return show(locale).catch(showEnglishInstead(locale));
};

const loadedBeside = new Map<Group, Promise<void>>();

/** The groups that the screens of a sign-in may need. The others take the account’s texts along. */
const ofSignIn: readonly Group[] = ['providers'];

/** Loads the texts of a page or of a part of one, for this language and each language chosen later. */
export const loadTextsBeside = (group: Exclude<Group, 'flow'>): Promise<void> => {
  needed.add(group);
  if (!ofSignIn.includes(group)) needed.add('account');
  const loading =
    loadedBeside.get(group) ??
    loadTexts(shown)
      .catch(showEnglishInstead(shown))
      .catch((error: unknown) => {
        loadedBeside.delete(group);
        throw error;
      });
  loadedBeside.set(group, loading);
  return loading;
};

/**
 * Shows the language that the person chose. The choice survives the visit and precedes the language that an app asks
 * for. Where the texts do not load, the page keeps its language.
 */
export const chooseLocale = (locale: Locale): Promise<void> =>
  show(locale, () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and absent from Firefox
    document.cookie = localeCookie(locale);
  });

/** Shows the language that an app asked for, unless the person has chosen a language. */
export const suggestLocale = async (locale: Locale): Promise<void> => {
  if (!chosenLocale(document.cookie) && shown !== locale) await show(locale);
};
