import { byLocale, type Locale, locales, type WordChanges } from '@candela/contract';
import { type BrandTexts, type BrandTextsSchema, findWordFaults } from '../brand/brand-texts.ts';

/** The words of a file with those of the desk in their place, text by text. */
export const mergeWords = (file: BrandTexts | undefined, own: BrandTexts | undefined): BrandTexts => {
  if (!file || !own) return own ?? file ?? {};
  return Object.fromEntries(
    locales
      .filter((locale) => file[locale] || own[locale])
      .map((locale) => [locale, { ...file[locale], ...own[locale] }]),
  );
};

/** The words after a change of some: null takes a text away. */
export const changeWords = (before: BrandTexts, changes: WordChanges): BrandTexts =>
  Object.fromEntries(
    locales.flatMap((locale) => {
      const after = Object.entries({ ...before[locale], ...changes[locale] }).filter(
        ([, text]) => text !== null,
      );
      return after.length > 0 ? [[locale, Object.fromEntries(after)]] : [];
    }),
  );

/** The words that fit a text of this release, and which do not, as `ru.login.forgot`. */
export const soundWords = (
  schema: BrandTextsSchema,
  words: BrandTexts,
): { words: BrandTexts; faults: string[] } => {
  const faults = Object.keys(findWordFaults(schema, words));
  const bad = new Set(faults);
  const none = (locale: Locale) =>
    Object.keys(words[locale] ?? {}).flatMap((key) => (bad.has(`${locale}.${key}`) ? [[key, null]] : []));
  return {
    words: changeWords(
      words,
      byLocale((locale) => Object.fromEntries(none(locale))),
    ),
    faults,
  };
};

/** What differs between two versions, as `en.login.forgot`. */
export const compareWords = (before: BrandTexts, after: BrandTexts): string[] =>
  locales.flatMap((locale) => {
    const [from = {}, to = {}] = [before[locale], after[locale]];
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
    return keys.filter((key) => from[key] !== to[key]).map((key) => `${locale}.${key}`);
  });
