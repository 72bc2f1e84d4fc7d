import { languages } from '@candela/contract/languages';
import { dialLength, maskIdentifier } from '@candela/contract/rules/mask-identifier';

const commonCountries = [
  { country: 'CN', dial: '86' },
  { country: 'RU', dial: '7' },
  { country: 'TW', dial: '886' },
  { country: 'HK', dial: '852' },
  { country: 'MO', dial: '853' },
  { country: 'US', dial: '1' },
];
const homes = Object.values(languages).map(({ home }) => home);

/** The countries at the top of the list, known before the full list loads: among them the home of each language. */
export const pinnedCountries: readonly { country: string; dial: string }[] = [
  ...commonCountries,
  ...homes.filter(({ country }) => !commonCountries.some((common) => common.country === country)),
];

/** The digits of a text. Full-width digits become ASCII. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '');

/** `+86 138…` is `{dial: '86', national: '138…'}`; undefined until the country code is complete. */
export const splitDial = (text: string): { dial: string; national: string } | undefined => {
  if (!/^\s*[+＋]/.test(text)) return undefined;
  const digits = digitsOf(text);
  const length = dialLength(digits);
  if (digits.length < length) return undefined;
  return { dial: digits.slice(0, length), national: digits.slice(length) };
};

/** By the number of digits: the lengths of the groups in which people write a number. */
const groupsOf: Partial<Record<number, readonly number[]>> = {
  7: [3, 4],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
  11: [3, 4, 4],
};

/** A phone or an e-mail in full, for its owner to check: `+86 138 0013 8000`, on a single line. */
export const wholeIdentifier = (identifier: string): string => {
  const parts = splitDial(identifier);
  if (!parts) return identifier;
  const { dial, national } = parts;
  let from = 0;
  const groups = (groupsOf[national.length] ?? [national.length]).map((length) => {
    from += length;
    return national.slice(from - length, from);
  });
  return [`+${dial}`, ...groups].join('\u00a0');
};

/** An account’s identifier as lists show it: a phone masked, an e-mail whole. */
export const displayIdentifier = (identifier: string): string =>
  identifier.includes('@') ? identifier : maskIdentifier(identifier);
