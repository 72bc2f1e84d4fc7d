/** BCP 47 tags of the languages offered, English first: the fallback. */
export const locales = ['en', 'zh-Hant', 'zh-Hans', 'ru'] as const;
export type Locale = (typeof locales)[number];

const tag = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

const matchOne = (candidate: string): Locale | undefined => {
  if (!tag.test(candidate)) return undefined;
  const [language, ...rest] = candidate.toLowerCase().split('-');
  if (language === 'en' || language === 'ru') return language;
  if (language !== 'zh') return undefined;
  if (rest.includes('hans')) return 'zh-Hans';
  return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'zh-Hant' : 'zh-Hans';
};

/** The first of the BCP 47 tags, most wanted first, that Candela speaks; undefined when there is none. */
export const matchLocale = (candidates: readonly string[]): Locale | undefined => {
  for (const candidate of candidates) {
    const locale = matchOne(candidate);
    if (locale) return locale;
  }
  return undefined;
};
