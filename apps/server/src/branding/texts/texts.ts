import { type Locale, locales } from '@candela/contract';
import type { brands } from './en/brands.ts';
import type { codes } from './en/codes.ts';
import type { earlier } from './en/earlier.ts';
import type { notices } from './en/notices.ts';
import type { pages } from './en/pages.ts';
import type { privacy } from './en/privacy.ts';
import type { takeout } from './en/takeout.ts';
import type { terms } from './en/terms.ts';

/** A text for each plural form of a language (CLDR); `other` stands in for the forms that the language lacks. */
type PluralTexts = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A paragraph, or the items of a list. */
export type Block = string | readonly string[];

/** The shape of the English texts. */
type Translated<English> = {
  [Key in keyof English]: Key extends 'minutes'
    ? PluralTexts
    : English[Key] extends string
      ? string
      : English[Key] extends readonly unknown[]
        ? readonly Block[]
        : Translated<English[Key]>;
};

/** Everything that the server says in one language: each group is a file of its name in the folder of the language. */
export interface LanguageTexts {
  /** What the built-in brands say. */
  brands: Translated<typeof brands>;
  /** Messages with a verification code. A brand replaces them by the key `messages.` and the path to the text. */
  codes: Translated<typeof codes>;
  /** Messages about a change to the account. A brand replaces them in the same way. */
  notices: Translated<typeof notices>;
  /** The page in the file with everything about a person. */
  takeout: Translated<typeof takeout>;
  /** Pages that work without JavaScript. */
  pages: Translated<typeof pages>;
  /** Sections of documents that a later edition replaced. */
  earlier: Translated<typeof earlier>;
  privacy: Translated<typeof privacy>;
  terms: Translated<typeof terms>;
}

const groups = [
  'brands',
  'codes',
  'earlier',
  'takeout',
  'notices',
  'pages',
  'privacy',
  'terms',
] satisfies (keyof LanguageTexts)[];

/** Each file exports its group by the name of the group. */
const load = async (locale: Locale): Promise<LanguageTexts> =>
  Object.assign({}, ...(await Promise.all(groups.map((group) => import(`./${locale}/${group}.ts`)))));

const loaded = await Promise.all(locales.map(async (locale) => [locale, await load(locale)]));
const texts: Record<Locale, LanguageTexts> = Object.fromEntries(loaded);

/** Everything that the server says in a language. */
export const textsOf = (locale: Locale): LanguageTexts => texts[locale];
