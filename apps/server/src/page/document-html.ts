import { type Locale, languages, locales } from '@candela/contract';
import { documentPages } from '@candela/contract/pages';
import { fillText } from '../brand/brand-texts.ts';
import { type DocumentId, documentIds } from '../legal/document.ts';
import type { LegalDocument } from '../legal/editions.ts';
import { type Block, textsOf } from '../texts/texts.ts';
import { escapeHtml } from './pages.ts';

/** Whose document it is, and where it is read. */
export interface Publisher {
  brand: string;
  /** As the address bar shows it. */
  host: string;
  contact: string;
}

const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const time = (day: string, locale: Locale) => {
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
  return `<time datetime="${day}">${text}</time>`;
};

/** Fills in who publishes; an address becomes a link. */
const createFiller = ({ brand, host, contact }: Publisher) => {
  const address = escapeHtml(contact);
  const values: Record<string, string> = {
    brand: escapeHtml(brand),
    host: `<bdi>${escapeHtml(host)}</bdi>`,
    contact: `<a href="mailto:${address}">${address}</a>`,
  };
  return (text: string) =>
    escapeHtml(text).replaceAll(/\{(\w+)\}/g, (_: string, name: string) => values[name] ?? '');
};

/** The document as one article: it stands in the page as it is, whatever reads it. */
export const renderArticle = (
  document: LegalDocument,
  publisher: Publisher,
  other: LegalDocument,
): string => {
  const { id, locale, version, effectiveOn, text, versions } = document;
  const texts = textsOf(locale).pages.document;
  const editionOf = (version: string, day: string) => fillText(texts.edition, { version, day });
  const fill = createFiller(publisher);
  const sections = Object.entries(text.sections);
  const block = (part: Block) => (typeof part === 'string' ? `<p>${fill(part)}</p>` : list(part.map(fill)));
  const contents = sections.map(([anchor, { title }]) => `<a href="#${anchor}">${escapeHtml(title)}</a>`);
  const editions = versions.map((one) => {
    const current = one.version === version ? ' aria-current="page"' : '';
    const address = `${documentPages[id]}?version=${one.version}`;
    return editionOf(`<a href="${address}"${current}>${one.version}</a>`, time(one.effectiveOn, locale));
  });
  return `<article id="document" lang="${locale}">
<h1>${escapeHtml(text.title)}</h1>
<p class="lead">${fill(text.lead)}</p>
<p class="edition">${editionOf(version, time(effectiveOn, locale))}</p>
<nav aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2><ol>${contents.map((item) => `<li>${item}</li>`).join('')}</ol></nav>
${sections
  .map(
    ([anchor, { title, body }]) =>
      `<section aria-labelledby="${anchor}"><h2 id="${anchor}">${escapeHtml(title)}</h2>${body.map(block).join('')}</section>`,
  )
  .join('\n')}
<footer><h2>${texts.versions}</h2>${list(editions)}
<p><a href="${documentPages[other.id]}">${escapeHtml(other.text.title)}</a></p></footer>
</article>`;
};

/** The page around the article as it stands until the portal's own frame takes over, and for good without JavaScript. */
export const renderBody = (article: string, { id, locale }: LegalDocument, brand: string): string => {
  const links = locales.map(
    (one) =>
      `<a href="${documentPages[id]}?lang=${one}" lang="${one}"${one === locale ? ' aria-current="true"' : ''}>${languages[one].name}</a>`,
  );
  return `<header class="document-bar"><a href="/index">${escapeHtml(brand)}</a><noscript><nav aria-label="${textsOf(locale).pages.document.language}">${links.join(' ')}</nav></noscript></header>
<main class="document-page" id="main">${article}</main>`;
};

export const otherDocument = (id: DocumentId): DocumentId => documentIds.find((one) => one !== id) ?? id;

/** On top of the portal's own styles. */
export const documentStyle = `.document-bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 24px;min-height:68px;padding:8px 16px;border-block-end:1px solid var(--line)}
.document-bar a{display:inline-block;padding-block:4px}
.document-bar>a{color:var(--ink);font-weight:600}
.document-bar nav{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.875rem}
.document-bar a[aria-current]{color:var(--ink);font-weight:600}
.document-page{box-sizing:border-box;width:100%;max-width:752px;margin-inline:auto;padding:32px 16px 64px}
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
