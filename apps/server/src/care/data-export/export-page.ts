import type { Locale } from '@candela/contract';
import type { TextCatalog } from '../../branding/brand/brand-texts.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import { fillHtml, type Html, html, raw } from '../../http/html.ts';
import { writeMoment } from '../../person/delivery/message-texts.ts';
import { createActivitySentence } from './activity-sentence.ts';
import type { PersonData } from './person-data.ts';

export interface ExportPageOptions {
  locale: Locale;
  brand: string;
  at: Date;
  /** The texts of the pages, which have the words for what happened. */
  pageTexts: TextCatalog['pages'];
}

const STYLE = raw(
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
    'li{margin:0 0 1rem}dl{margin:0;display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:0 1rem}' +
    'dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}',
);

type Texts = ReturnType<typeof textsOf>['takeout'];

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

const isNamed = (value: object): value is { name: string; version?: string } =>
  'name' in value && typeof value.name === 'string';

/** A value as people read it. */
const write = (value: unknown, texts: Texts, locale: Locale): string => {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'string' && isMoment(value)) return writeMoment(new Date(value), locale);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isNamed(value)) return [value.name, value.version].filter(Boolean).join(' ');
  return Object.values(value)
    .map((part) => write(part, texts, locale))
    .join(', ');
};

const describe = (row: object, texts: Texts, locale: Locale): Html => {
  const labels: Readonly<Record<string, string>> = texts.fields;
  const kinds: Readonly<Record<string, string>> = texts.kinds;
  const inWords = (name: string, value: unknown) =>
    (name === 'kind' && kinds[String(value)]) || write(value, texts, locale);
  const known = Object.entries(row).filter(([name]) => Object.hasOwn(labels, name));
  return html`<dl>${known.map(([name, value]) => html`<dt>${labels[name]}</dt><dd>${inWords(name, value)}</dd>`)}</dl>`;
};

const section = (value: object, texts: Texts, locale: Locale): Html => {
  if (!Array.isArray(value)) return describe(value, texts, locale);
  if (value.length === 0) return html`<p>${texts.nothing}</p>`;
  return html`<ul>${value.map((row: object) => html`<li>${describe(row, texts, locale)}</li>`)}</ul>`;
};

/** The page of a file that people can read, in their language. It loads nothing. */
export const renderExportPage = (data: PersonData, options: ExportPageOptions): string => {
  const { locale, brand, at, pageTexts } = options;
  const texts = textsOf(locale).takeout;
  const titles: Readonly<Record<string, string>> = texts.sections;
  const sentenceOf = createActivitySentence(pageTexts, locale);
  const activity = data.activity.map(({ at: when, kind, detail, client, ...row }) => ({
    at: when,
    what: sentenceOf({ kind, detail, client }),
    ...row,
  }));
  const title = fillHtml(texts.title, { brand });
  const page = html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body>
<h1>${title}</h1>
<p>${fillHtml(texts.asOf, { time: writeMoment(at, locale) })} ${texts.machine}</p>
${Object.entries({ ...data, activity }).map(([name, value]) => value && html`<h2>${titles[name]}</h2>${section(value, texts, locale)}`)}
</body></html>
`;
  return page.markup;
};
