interface Language {
  /** The language’s name in the language itself. */
  name: string;
  /** The default country of a phone number: its ISO 3166-1 alpha-2 code and its calling code. */
  home: { country: string; dial: string };
  /** Matches the BCP 47 tags, in lower case, of this language. The first row that matches wins. */
  match: RegExp;
  /** How the language counts the hours of a day. */
  hourCycle: 'h12' | 'h23';
  /** Punctuation is full-width, so no space stands beside a mark. */
  isFullWidth: boolean;
}

const rows = {
  en: {
    name: 'English',
    home: { country: 'US', dial: '1' },
    match: /^en\b/,
    hourCycle: 'h12',
    isFullWidth: false,
  },
  'zh-Hant': {
    name: '繁體中文',
    home: { country: 'TW', dial: '886' },
    match: /^zh\b(?!.*\bhans\b).*\b(?:hant|tw|hk|mo)\b/,
    hourCycle: 'h23',
    isFullWidth: true,
  },
  'zh-Hans': {
    name: '简体中文',
    home: { country: 'CN', dial: '86' },
    match: /^zh\b/,
    hourCycle: 'h23',
    isFullWidth: true,
  },
  ru: {
    name: 'Русский',
    home: { country: 'RU', dial: '7' },
    match: /^ru\b/,
    hourCycle: 'h23',
    isFullWidth: false,
  },
} satisfies Record<string, Language>;

/** A BCP 47 tag of a language that Candela speaks. */
export type Locale = keyof typeof rows;

/**
 * The languages that Candela speaks, in the order of the pages. English, the fallback, is the first. The texts of each
 * language are in the folders of its tag in `apps/server/src/branding/texts` and in `apps/web/src/i18n`.
 */
export const languages: Readonly<Record<Locale, Language>> = rows;

export const locales = Object.keys(rows) as [Locale, ...Locale[]];

/** A value for each language. */
export const byLocale = <Value>(make: (locale: Locale) => Value): Record<Locale, Value> =>
  Object.fromEntries(locales.map((locale) => [locale, make(locale)])) as Record<Locale, Value>;

const tagShape = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/;

const matchTag = (tag: string): Locale | undefined => {
  if (!tagShape.test(tag)) return undefined;
  return (
    locales.find((locale) => locale.toLowerCase() === tag) ??
    locales.find((locale) => languages[locale].match.test(tag))
  );
};

/** The first language that Candela speaks among BCP 47 tags in the order of preference. */
export const matchLocale = (tags: readonly string[]): Locale | undefined => {
  for (const tag of tags) {
    const locale = matchTag(tag.toLowerCase());
    if (locale) return locale;
  }
  return undefined;
};
