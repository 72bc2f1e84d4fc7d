// ITU-T E.164: a country code has one digit (zones 1 and 7), two for those listed, three otherwise.
const twoDigits = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** The number of digits of the country code that an international number begins with. */
export const dialLength = (digits: string): number => {
  if (digits.startsWith('1') || digits.startsWith('7')) return 1;
  return twoDigits.has(digits.slice(0, 2)) ? 2 : 3;
};

const hiddenDigits = 4;

/** Hides the four digits before the last four, or in a short number before the last two. */
const maskPhone = (phone: string): string => {
  const start = 1 + dialLength(phone.slice(1));
  const national = phone.slice(start);
  const tail = national.length > 8 ? 4 : 2;
  const head = Math.max(0, Math.min(3, national.length - hiddenDigits - tail));
  const parts = [phone.slice(0, start), national.slice(0, head), '••••', national.slice(-tail)];
  return parts.filter(Boolean).join(' ');
};

/**
 * Masks a phone number (E.164) or an e-mail address: its owner recognizes it, and nobody else learns it. Examples:
 * `+86 138 •••• 8000`, `l•••@example.com`. All screens and e-mails use this mask.
 */
export const maskIdentifier = (identifier: string): string => {
  const at = identifier.lastIndexOf('@');
  if (at < 0) return maskPhone(identifier);
  const [first = ''] = identifier;
  return `${at > first.length ? first : ''}•••${identifier.slice(at)}`;
};

/** The mask in an SMS: a character outside of GSM 03.38 would make a message in Latin letters cost twice as much. */
export const maskForSms = (identifier: string): string => maskIdentifier(identifier).replaceAll('•', '*');
