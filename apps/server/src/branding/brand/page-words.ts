import { type Boot, type Locale, locales } from '@candela/contract';
import type { Brand } from './brand.ts';
import type { TextCatalog, Texts } from './brand-texts.ts';

/** What the pages of the brands say. */
export interface PageWords {
  /** The brand’s own words by language for a page in `locale`: of this language the words, of the others a path. */
  ownOf(brandId: string, locale: Locale): Boot['texts'];
  /** The text of a key: the brand’s own, else the built-in one; an unknown key has the empty text. */
  textOf(brand: Pick<Brand, 'texts'> | undefined, locale: Locale, key: string): string;
}

export interface PageWordsOptions {
  brands: readonly Pick<Brand, 'id' | 'texts'>[];
  /** The built-in texts of the pages; undefined while the pages are not built. */
  catalog: TextCatalog['pages'];
  /** Serves a file of this content for ever, and returns its path. */
  publish(json: string): string;
  /** Hears when the words of a brand changed. */
  onChange(listener: () => void): void;
}

const ofPages = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith('messages.')));

export const createPageWords = (options: PageWordsOptions): PageWords => {
  const { brands, catalog, publish, onChange } = options;
  const words = new Map<string, { locale: Locale; own: Texts; path: string }[]>();
  // Published before any page names them: the page may be another process's.
  const read = () => {
    for (const { id, texts = {} } of brands) {
      const spoken = locales.flatMap((locale) => {
        const own = ofPages(texts[locale] ?? {});
        return Object.keys(own).length > 0 ? [{ locale, own, path: publish(JSON.stringify(own)) }] : [];
      });
      if (spoken.length > 0) words.set(id, spoken);
      else words.delete(id);
    }
  };
  read();
  onChange(read);
  return {
    ownOf: (brandId, locale) => {
      const spoken = words.get(brandId);
      return (
        spoken &&
        Object.fromEntries(spoken.map((one) => [one.locale, one.locale === locale ? one.own : one.path]))
      );
    },
    textOf: (brand, locale, key) => brand?.texts?.[locale]?.[key] ?? catalog?.[locale][key] ?? '',
  };
};
