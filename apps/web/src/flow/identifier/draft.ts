import type { ErrorCode } from '@candela/contract';
import { type Locale, languages } from '@candela/contract/languages';
import { digitsOf, pinnedCountries, splitDial } from './dial-code.ts';
import type { PhoneBook } from './phone-book.ts';

/** An identifier as it is typed. */
export interface IdentifierDraft {
  kind: 'phone' | 'email';
  country: string;
  dial: string;
  text: string;
}

const dialOf = (country: string, book: PhoneBook | undefined): string | undefined =>
  [...pinnedCountries, ...(book?.countries ?? [])].find((entry) => entry.country === country)?.dial;

const countryOf = (dial: string, book: PhoneBook | undefined): string | undefined =>
  [...pinnedCountries, ...(book?.countries ?? [])].find((entry) => entry.dial === dial)?.country;

export const emptyDraft = (locale: Locale): IdentifierDraft => ({
  kind: 'phone',
  ...languages[locale].home,
  text: '',
});

/** An empty field at the home country of the former language moves to the home country of the new language. */
export const withLocale = (draft: IdentifierDraft, before: Locale, after: Locale): IdentifierDraft => {
  if (draft.text !== '' || draft.country !== languages[before].home.country) return draft;
  const { country, dial } = emptyDraft(after);
  return { ...draft, country, dial };
};

export const withCountry = (
  draft: IdentifierDraft,
  country: string,
  book: PhoneBook | undefined,
): IdentifierDraft => ({ ...draft, country, dial: dialOf(country, book) ?? draft.dial });

/** Moves the country code of a number into the picker, once the country is known. */
const absorbDial = (draft: IdentifierDraft, book: PhoneBook | undefined): IdentifierDraft => {
  const parts = splitDial(draft.text);
  if (!parts) return draft;
  const whole = `+${parts.dial}${parts.national}`;
  // Countries share a code, so the number decides: +7 701… is Kazakhstan.
  const country = book?.parse(whole, draft.country)?.country ?? countryOf(parts.dial, book);
  if (!country) return draft;
  return { ...draft, country, dial: parts.dial, text: parts.national };
};

/** The draft after a change of the text: a letter or @ makes it an e-mail, a leading + a phone. */
export const withText = (
  draft: IdentifierDraft,
  text: string,
  book: PhoneBook | undefined,
): IdentifierDraft => {
  if (/[@＠\p{L}]/u.test(text)) return { ...draft, kind: 'email', text };
  const isPhone = draft.kind === 'phone' || /^\s*[+＋]\s*\d/.test(text);
  return isPhone ? absorbDial({ ...draft, kind: 'phone', text }, book) : { ...draft, text };
};

/** The draft of another kind. A text that cannot be of that kind goes: digits are no e-mail, an address no number. */
export const withKind = (draft: IdentifierDraft, kind: IdentifierDraft['kind']): IdentifierDraft => {
  const isNumber = !/[@＠\p{L}]/u.test(draft.text);
  return { ...draft, kind, text: isNumber === (kind === 'phone') ? draft.text : '' };
};

/** The draft of a known identifier, such as that of a remembered account or of an app's `login_hint`. */
export const withIdentifier = (
  draft: IdentifierDraft,
  identifier: string,
  book: PhoneBook | undefined,
): IdentifierDraft =>
  withText({ ...draft, kind: identifier.includes('@') ? 'email' : 'phone' }, identifier, book);

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type Checked = { identifier: string } | { error: ErrorCode };

const checkPhone = (draft: IdentifierDraft, book: PhoneBook | undefined): Checked => {
  const digits = digitsOf(draft.text);
  if (!digits) return { error: 'phone_blank' };
  if (!book) {
    const isWhole = splitDial(draft.text) !== undefined;
    return digits.length < 5
      ? { error: 'phone_invalid' }
      : { identifier: `+${isWhole ? '' : draft.dial}${digits}` };
  }
  const phone = /[a-z]/i.test(draft.text) ? undefined : book.parse(draft.text, draft.country);
  return phone ? { identifier: phone.number } : { error: 'phone_invalid' };
};

/** The identifier to send, or the code of its problem. Without the phone book a number is only roughly checked. */
export const checkDraft = (draft: IdentifierDraft, book: PhoneBook | undefined): Checked => {
  if (draft.kind === 'phone') return checkPhone(draft, book);
  const email = draft.text.normalize('NFKC').trim();
  if (!email) return { error: 'email_blank' };
  return emailShape.test(email) ? { identifier: email } : { error: 'email_invalid' };
};

export const isDraft = (value: unknown): value is IdentifierDraft => {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, country, dial, text } = value as Record<string, unknown>;
  return (
    (kind === 'phone' || kind === 'email') && [country, dial, text].every((part) => typeof part === 'string')
  );
};
