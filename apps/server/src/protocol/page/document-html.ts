import { type Locale, languages, locales } from '@candela/contract';
import { documentPages } from '@candela/contract/pages';
import { type DocumentId, documentIds } from '../../branding/legal/document.ts';
import type { LegalDocument } from '../../branding/legal/editions.ts';
import { type Block, textsOf } from '../../branding/texts/texts.ts';
import { fillHtml, type Html, type HtmlValue, html } from '../../http/html.ts';

/** Who publishes a document, and where it is read. */
export interface Publisher {
  brand: string;
  /** The host in the address bar. */
  host: string;
  contact: string;
}

const list = (items: readonly HtmlValue[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** The parts on lines of their own. */
const lines = (parts: readonly Html[]) => parts.map((part, at) => [at > 0 && '\n', part]);

const time = (day: string, locale: Locale) => {
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
  return html`<time datetime="${day}">${text}</time>`;
};

/** Fills in who publishes; an address becomes a link. */
const createFiller = ({ brand, host, contact }: Publisher) => {
  const values = {
    brand,
    host: html`<bdi>${host}</bdi>`,
    contact: html`<a href="mailto:${contact}">${contact}</a>`,
  };
  return (text: string) => fillHtml(text, values, /\{(\w+)\}/);
};

/** The current edition, and a link to every edition. */
const renderEditions = ({ id, locale, version, effectiveOn, versions }: LegalDocument) => {
  const { edition } = textsOf(locale).pages.document;
  const links = versions.map((one) => {
    const current = one.version === version && html` aria-current="page"`;
    const address = `${documentPages[id]}?version=${one.version}`;
    const link = html`<a href="${address}"${current}>${one.version}</a>`;
    return fillHtml(edition, { version: link, day: time(one.effectiveOn, locale) });
  });
  return {
    current: html`<p class="edition">${fillHtml(edition, { version, day: time(effectiveOn, locale) })}</p>`,
    all: list(links),
  };
};

/** The document as one article, the same in the page of the server and in the portal's frame. */
export const renderArticle = (document: LegalDocument, publisher: Publisher, other: LegalDocument): Html => {
  const { locale, text } = document;
  const texts = textsOf(locale).pages.document;
  const fill = createFiller(publisher);
  const editions = renderEditions(document);
  const sections = Object.entries(text.sections);
  const contents = sections.map(([anchor, { title }]) => html`<li><a href="#${anchor}">${title}</a></li>`);
  const block = (part: Block) =>
    typeof part === 'string' ? html`<p>${fill(part)}</p>` : list(part.map(fill));
  return html`<article id="document" lang="${locale}">
<h1>${text.title}</h1>
<p class="lead">${fill(text.lead)}</p>
${editions.current}
<nav aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2><ol>${contents}</ol></nav>
${lines(
  sections.map(
    ([anchor, { title, body }]) =>
      html`<section aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${body.map(block)}</section>`,
  ),
)}
<footer><h2>${texts.versions}</h2>${editions.all}
<p><a href="${documentPages[other.id]}">${other.text.title}</a></p></footer>
</article>`;
};

/** The page around the article: until the portal's own frame takes over, and for good without JavaScript. */
export const renderBody = (article: Html, { id, locale }: LegalDocument, brand: string): Html => {
  const links = locales.map((one, at) => {
    const current = one === locale && html` aria-current="true"`;
    const link = html`<a href="${documentPages[id]}?lang=${one}" lang="${one}"${current}>${languages[one].name}</a>`;
    return [at > 0 && ' ', link];
  });
  return html`<header class="document-bar"><a href="/index">${brand}</a><noscript><nav aria-label="${textsOf(locale).pages.document.language}">${links}</nav></noscript></header>
<main class="document-page" id="main">${article}</main>`;
};

export const otherDocument = (id: DocumentId): DocumentId => documentIds.find((one) => one !== id) ?? id;

/** Of the frame around a document, until the portal's own takes over. */
export const barStyle = `.document-bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 24px;min-height:68px;padding:8px 16px;border-block-end:1px solid var(--line)}
.document-bar a{display:inline-block;padding-block:4px}
.document-bar>a{color:var(--ink);font-weight:600}
.document-bar nav{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.875rem}
.document-bar a[aria-current]{color:var(--ink);font-weight:600}
.document-page{box-sizing:border-box;width:100%;max-width:752px;margin-inline:auto;padding:32px 16px 64px}`;

/** Adds to the portal's own styles. */
export const documentStyle = `${barStyle}
#document{max-width:65ch;scroll-padding-block:24px}
#document h1{margin-block-end:12px}
#document h2{margin-block:0 8px;scroll-margin-block-start:24px}
#document p,#document ul{margin-block:0 12px}
#document a{text-decoration:underline;text-underline-offset:.2em;overflow-wrap:anywhere}
#document .lead{font-size:1.125rem;color:var(--muted)}
#document .edition{font-size:.875rem;color:var(--muted)}
#document section,#document footer{margin-block-start:32px}
#document section li{position:relative;padding-inline-start:20px;margin-block-end:6px}
#document section li::before{content:"";position:absolute;inset-inline-start:4px;inset-block-start:.6em;width:6px;height:6px;border-radius:50%;background:rgb(var(--glow))}
#document nav{margin-block-start:24px;padding:16px 20px;border:1px solid var(--line);border-radius:18px;background:var(--surface)}
#document nav ol{columns:2 220px;column-gap:24px}
#document nav li{break-inside:avoid}
#document nav a{display:inline-block;min-height:28px;padding-block:2px;text-decoration:none}
#document nav a:hover{text-decoration:underline}
#document footer{padding-block-start:24px;border-block-start:1px solid var(--line)}
#document footer a{display:inline-block;min-height:24px}
@media(forced-colors:active){#document section li::before{background:CanvasText}}`;
