const made = Symbol('made');

/** Markup that is safe to send: made by `html`, or vouched for with `raw`. */
export interface Html {
  readonly [made]: true;
  readonly markup: string;
}

/** A value in a template. Text is escaped; undefined and false show nothing; a list shows its parts one after the other. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[];

/** Markup as it is, for style sheets and scripts of our own and forms of the engine: never for a text of somebody else. */
export const raw = (markup: string): Html => ({ [made]: true, markup });

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const isHtml = (value: object): value is Html => made in value;

const render = (value: HtmlValue): string => {
  if (value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeText(String(value));
  return isHtml(value) ? value.markup : value.map(render).join('');
};

/** A template of markup, which escapes its values. An attribute's value stands in quotes. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  raw(String.raw({ raw: strings }, ...values.map(render)));

/** A text with markup in place of each `{{name}}`, or of what else `placeholder` finds; the text itself is escaped. */
export const fillHtml = (
  text: string,
  values: Readonly<Record<string, HtmlValue>>,
  placeholder = /{{(\w+)}}/,
): Html =>
  // Each second part is the name of a placeholder.
  html`${text.split(placeholder).map((part, at) => (at % 2 === 0 ? part : values[part]))}`;
