import { type Boot, type Locale, locales } from '@candela/contract';
import type { Brand } from './brand.ts';
import type { Texts } from './brand-texts.ts';

/** What brands say on the pages in their own words. */
export interface PageWords {
  /** For a page in `locale`: its own words with it, those of the other languages by their paths. */
  of(brandId: string, locale: Locale): Boot['texts'];
}

const ofPages = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith('messages.')));

/**
 * @param publish makes a file with this content available to the pages, for ever under the path that it answers.
 */
export const createPageWords = (
  brands: readonly Pick<Brand, 'id' | 'texts'>[],
  publish: (json: string) => string,
): PageWords => {
  const words = new Map<string, { locale: Locale; own: Texts; path: string }[]>();
  for (const { id, texts = {} } of brands) {
    const spoken = locales.flatMap((locale) => {
      const own = ofPages(texts[locale] ?? {});
      return Object.keys(own).length > 0 ? [{ locale, own, path: publish(JSON.stringify(own)) }] : [];
    });
    if (spoken.length > 0) words.set(id, spoken);
  }
  return {
    of: (brandId, locale) => {
      const spoken = words.get(brandId);
      return (
        spoken &&
        Object.fromEntries(spoken.map((one) => [one.locale, one.locale === locale ? one.own : one.path]))
      );
    },
  };
};
