import type { ClientErrorCode } from '@candela/contract';

const MAX_LENGTH = 60;

/** Characters that nobody sees, or that change the order of those beside them (Unicode TR 36 section 2). */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/** Letters of other alphabets, many of which look like Latin ones. Chinese, Japanese and Korean ones do not. */
const OTHER_LETTER =
  /(?![\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Common}\p{sc=Inherited}])\p{L}/u;

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, OTHER_LETTER] as const;

const mixesScripts = (word: string) => scripts.filter((script) => script.test(word)).length > 1;

/** More marks on one letter than any language has: they run over the lines beside it (Unicode TS 39 section 5.4). */
const STACKED_MARKS = /\p{M}{5}/u;

/** Letters and digits that look like others, in small letters (a part of the confusables of Unicode TS 39). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ҽ: 'e',
  ғ: 'f',
  һ: 'h',
  н: 'h',
  і: 'i',
  ӏ: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  п: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  и: 'u',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  у: 'y',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  ı: 'i',
  ł: 'i',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ɑ: 'a',
  ɡ: 'g',
  l: 'i',
  '0': 'o',
  '1': 'i',
  '5': 's',
  '|': 'i',
};

/** A name as people may read it at a glance: names that fold to the same text pass for each other. */
const foldName = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .filter((character) => /[\p{L}\p{N}|]/u.test(character))
    .map((character) => LOOK_ALIKES[character] ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/**
 * What is wrong with the name of a client, in a code and in words; undefined where people can tell it from others.
 * @param taken names that people trust, which no other client may resemble.
 */
export const faultOfClientName = (
  name: string,
  taken: readonly string[] = [],
): readonly [ClientErrorCode, string] | undefined => {
  if (UNSEEN.test(name))
    return ['client_name_confusing', 'must not have invisible characters, or ones that turn the text round'];
  if (!/[\p{L}\p{N}]/u.test(name)) return ['client_name_blank', 'must have a letter or a digit'];
  if ([...name].length > MAX_LENGTH)
    return ['client_name_too_long', `must have at most ${MAX_LENGTH} characters`];
  if (
    name
      .normalize('NFKC')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .some(mixesScripts)
  )
    return ['client_name_confusing', 'must not mix letters of several alphabets in a word'];
  if (STACKED_MARKS.test(name.normalize('NFD')))
    return ['client_name_confusing', 'must not have so many marks on a letter'];
  const folded = foldName(name);
  if (taken.some((other) => foldName(other) === folded))
    return ['client_name_confusing', 'looks like the name of another app, which people trust'];
  return undefined;
};

const HOST = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/**
 * Why a name borrows trust: it begins with the name of a brand, as of its own support, or is the address of somebody
 * else. A host may be the name of an app that people return to at this host.
 * @param hosts the hosts of the client's redirect URIs, and of its document.
 */
export const faultOfBorrowedName = (
  name: string,
  { brands, hosts }: { brands: readonly string[]; hosts: readonly string[] },
): readonly [ClientErrorCode, string] | undefined => {
  const words = (text: string) =>
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map(foldName);
  const own = words(name);
  const begins = (brand: string) => words(brand).every((word, index) => own[index] === word);
  if (brands.some(begins)) return ['client_name_confusing', 'begins with the name of the brand'];
  const isAddress = name.includes('://') || HOST.test(name.trim());
  return isAddress && !hosts.includes(name.trim().toLowerCase())
    ? ['client_name_confusing', 'is an address that is none of the redirect URIs']
    : undefined;
};
