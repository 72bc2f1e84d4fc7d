import { type Locale, locales } from '@candela/contract/languages';
import type { LanguageTexts } from './texts.ts';

type Texts = { [key: string]: string | Texts };

const flatten = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flatten(value, `${path}${key}.`),
  );

const groups = [
  'flow',
  'account',
  'security',
  'activity',
  'developers',
  'desk',
  'providers',
] satisfies (keyof LanguageTexts)[];

const readGroup = async (locale: Locale, group: keyof LanguageTexts): Promise<Texts> =>
  (await import(`./${locale}/${group}.ts`))[group];

const readCatalog = async (locale: Locale): Promise<[Locale, Record<string, string>]> => {
  const texts = await Promise.all(groups.map((group) => readGroup(locale, group)));
  return [locale, Object.fromEntries(texts.flatMap((group) => flatten(group)))];
};

/**
 * All texts of the pages in each language, by keys such as `login.title`: for the build and for tests. A page loads
 * only the groups that it shows.
 */
export const catalogs = Object.fromEntries(await Promise.all(locales.map(readCatalog))) as Record<
  Locale,
  Record<string, string>
>;
