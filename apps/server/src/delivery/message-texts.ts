import type { Locale } from '@candela/contract';
import type { Texts } from '../brand/brand-texts.ts';
import { messagesEn } from './texts/en.ts';
import { messagesRu } from './texts/ru.ts';
import { messagesZhHans } from './texts/zh-hans.ts';
import { messagesZhHant } from './texts/zh-hant.ts';

/** A text for each plural form that a language has (CLDR); `other` stands in for those it has not. */
type PluralTexts = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

type Translated<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string
    ? string
    : Key extends 'minutes'
      ? PluralTexts
      : Translated<Texts[Key]>;
};

/** The texts of messages in one language, with `{{placeholders}}`: the keys of the English ones. */
export type MessageTexts = Translated<typeof messagesEn>;

const builtIn: Record<Locale, MessageTexts> = {
  en: messagesEn,
  'zh-Hant': messagesZhHant,
  'zh-Hans': messagesZhHans,
  ru: messagesRu,
};

type Nested = { readonly [name: string]: string | Nested };

/** The key of a text is its path, such as `messages.code.subject`. */
const replaceTexts = (texts: Nested, own: Texts, path: string): Nested =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const key = `${path}.${name}`;
      return [name, typeof text === 'string' ? (own[key] ?? text) : replaceTexts(text, own, key)];
    }),
  );

/** The texts of messages in a language: a brand's own where it has some, else the built-in ones. */
export const messageTextsOf = (locale: Locale, own?: Texts): MessageTexts =>
  own ? (replaceTexts(builtIn[locale], own, 'messages') as MessageTexts) : builtIn[locale];

const listTexts = (texts: Nested, path: string): [string, string][] =>
  Object.entries(texts).flatMap(([name, text]): [string, string][] => {
    const key = `${path}.${name}`;
    return typeof text === 'string' ? [[key, text]] : listTexts(text, key);
  });

const catalogOf = (locale: Locale): Texts => Object.fromEntries(listTexts(builtIn[locale], 'messages'));

/** Every built-in text of the messages, by the key under which a brand may have its own. */
export const messageCatalog: Record<Locale, Texts> = {
  en: catalogOf('en'),
  'zh-Hant': catalogOf('zh-Hant'),
  'zh-Hans': catalogOf('zh-Hans'),
  ru: catalogOf('ru'),
};

/** Puts values in the place of a text's `{{placeholders}}`; what a value contains is left as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/{{(\w+)}}/g, (_, name: string) => values[name] ?? '');

/** “5 minutes”, in the plural form of the number. */
export const writeMinutes = (
  minutes: number,
  { locale, forms }: { locale: Locale; forms: PluralTexts },
): string => {
  const form = forms[new Intl.PluralRules(locale).select(minutes)] ?? forms.other;
  return fill(form, { minutes: String(minutes) });
};

const clock: Record<Locale, Intl.DateTimeFormatOptions> = {
  en: { hour: 'numeric', minute: '2-digit' },
  // Without being told, Traditional Chinese writes “下午3:04”.
  'zh-Hant': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  'zh-Hans': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  ru: { hour: '2-digit', minute: '2-digit' },
};

/** A moment to the minute in UTC, which it names: nobody knows where a message is read. */
export const writeMoment = (at: Date, locale: Locale): string => {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const format = new Intl.DateTimeFormat(locale, { ...day, ...clock[locale], timeZone: 'UTC' });
  return locale.startsWith('zh') ? `${format.format(at)}（UTC）` : `${format.format(at)} (UTC)`;
};
