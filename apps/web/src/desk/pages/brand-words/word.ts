import type { DeskBrand, Locale } from '@candela/contract';

/** One text of a brand in one language. */
export interface Word {
  key: string;
  builtIn: string;
  file?: string | undefined;
  /** What was put in force at the desk. */
  own?: string | undefined;
}

/** What people read. */
export const inForce = ({ own, file, builtIn }: Word): string => own ?? file ?? builtIn;

export const wordsOf = ({ texts, words }: DeskBrand, locale: Locale): Word[] =>
  texts.map((text) => ({ ...text, own: words[locale]?.[text.key] }));

/** The texts that have what is looked for in their key or their words; without it those that have words of their own. */
export const findWords = (words: readonly Word[], looked: string): Word[] => {
  const part = looked.trim().toLowerCase();
  return words.filter((word) =>
    part === ''
      ? word.own !== undefined
      : word.key.toLowerCase().includes(part) || inForce(word).toLowerCase().includes(part),
  );
};
