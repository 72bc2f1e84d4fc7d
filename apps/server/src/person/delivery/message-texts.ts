import { byLocale, type Locale, languages } from '@candela/contract';
import { fillText, type Texts } from '../../branding/brand/brand-texts.ts';
import { type LanguageTexts, textsOf } from '../../branding/texts/texts.ts';

type Path<Nested> = {
  [Key in keyof Nested & string]: Nested[Key] extends string ? Key : `${Key}.${Path<Nested[Key]>}`;
}[keyof Nested & string];

interface NestedTexts {
  [key: string]: string | NestedTexts;
}

const flatten = (texts: NestedTexts, path: string): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}.${key}`, value]] : flatten(value, `${path}.${key}`),
  );

const listTexts = (locale: Locale): Texts => {
  const { codes, notices } = textsOf(locale);
  return Object.fromEntries(flatten({ ...codes, ...notices }, 'messages'));
};

/** Every text of the messages, by the key with which a brand replaces it: `messages.code.subject`. */
export const messageTexts: Record<Locale, Texts> = byLocale(listTexts);

type Key = Path<Omit<LanguageTexts['codes'], 'minutes'> & LanguageTexts['notices']>;

/** The text of a key, with values in the place of its placeholders. */
export type Words = (key: Key, values?: Readonly<Record<string, string>>) => string;

const lookUp = (locale: Locale, own: Texts | undefined, key: string): string | undefined =>
  own?.[`messages.${key}`] ?? messageTexts[locale][`messages.${key}`];

/** The words of messages in one language; the brand’s `own` words replace built-in ones. */
export const createWords =
  (locale: Locale, own: Texts | undefined): Words =>
  (key, values = {}) =>
    fillText(lookUp(locale, own, key) ?? '', values);

/** “5 minutes”, in the plural form of the number. */
export const writeMinutes = (minutes: number, locale: Locale, own: Texts | undefined): string => {
  const form = new Intl.PluralRules(locale).select(minutes);
  const text = lookUp(locale, own, `minutes.${form}`) ?? lookUp(locale, own, 'minutes.other') ?? '';
  return fillText(text, { minutes });
};

/** A moment to the minute in UTC, and the word UTC: nobody knows where a message is read. */
export const writeMoment = (at: Date, locale: Locale): string => {
  const { hourCycle, isFullWidth } = languages[locale];
  const text = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: hourCycle === 'h12' ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle,
    timeZone: 'UTC',
  }).format(at);
  return isFullWidth ? `${text}（UTC）` : `${text} (UTC)`;
};

/** A time zone in words, such as “Central European Time”: where a browser says that it is. */
export const writeTimeZone = (timeZone: string, locale: Locale, at: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
