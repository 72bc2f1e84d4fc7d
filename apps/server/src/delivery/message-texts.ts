import { type Locale, languages } from '@candela/contract';
import { fillText, type Texts } from '../brand/brand-texts.ts';
import { messagesEn } from '../texts/en/messages.ts';
import { messagesRu } from '../texts/ru/messages.ts';
import { messagesZhHans } from '../texts/zh-Hans/messages.ts';
import { messagesZhHant } from '../texts/zh-Hant/messages.ts';

/** A text for each plural form that a language has (CLDR); `other` stands in for those it has not. */
type PluralTexts = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

type Translated<Nested> = {
  [Key in keyof Nested]: Nested[Key] extends string
    ? string
    : Key extends 'minutes'
      ? PluralTexts
      : Translated<Nested[Key]>;
};

/** The texts of messages in one language, with `{{placeholders}}`: the keys of the English ones. */
export type MessageTexts = Translated<typeof messagesEn>;

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

const list = (texts: MessageTexts): Texts => Object.fromEntries(flatten({ ...texts }, 'messages'));

/** Every text of the messages, by the key under which a brand may have its own: `messages.code.subject`. */
export const messageTexts: Record<Locale, Texts> = {
  en: list(messagesEn),
  'zh-Hant': list(messagesZhHant),
  'zh-Hans': list(messagesZhHans),
  ru: list(messagesRu),
};

/** Says the text of a key, filled in. */
export type Words = (key: Path<typeof messagesEn>, values?: Readonly<Record<string, string>>) => string;

const lookUp = (locale: Locale, own: Texts | undefined, key: string): string | undefined =>
  own?.[`messages.${key}`] ?? messageTexts[locale][`messages.${key}`];

/** The words of messages in one language, those of the brand before the built-in ones. */
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
