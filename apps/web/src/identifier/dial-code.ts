/** Countries pinned on top of the list, known before the full one has been loaded. */
export const pinnedCountries = [
  { country: 'CN', dial: '86' },
  { country: 'RU', dial: '7' },
  { country: 'TW', dial: '886' },
  { country: 'HK', dial: '852' },
  { country: 'MO', dial: '853' },
  { country: 'US', dial: '1' },
] as const;

// ITU-T E.164: a country code has one digit (zones 1 and 7), two for those listed, three otherwise.
const twoDigits = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

const dialLength = (digits: string): number => {
  if (digits.startsWith('1') || digits.startsWith('7')) return 1;
  return twoDigits.has(digits.slice(0, 2)) ? 2 : 3;
};

/** The ASCII digits of a text, full-width ones folded. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '');

/** `+86 138…` is `{dial: '86', national: '138…'}`; undefined until the country code is complete. */
export const splitDial = (text: string): { dial: string; national: string } | undefined => {
  if (!/^\s*[+＋]/.test(text)) return undefined;
  const digits = digitsOf(text);
  const length = dialLength(digits);
  if (digits.length < length) return undefined;
  return { dial: digits.slice(0, length), national: digits.slice(length) };
};

/** An E.164 phone with its middle hidden: `+86 138 •••• 8000`. */
export const maskPhone = (phone: string): string => {
  const parts = splitDial(phone);
  if (!parts) return phone;
  const { dial, national } = parts;
  const shown = national.length > 8 ? [3, 4] : [1, 2];
  const [head = 0, tail = 0] = shown;
  if (national.length <= head + tail) return `+${dial} ${national}`;
  return `+${dial} ${national.slice(0, head)} •••• ${national.slice(-tail)}`;
};

/** An account’s identifier as lists show it: phones masked, e-mails whole. */
export const displayIdentifier = (identifier: string): string =>
  identifier.includes('@') ? identifier : maskPhone(identifier);
