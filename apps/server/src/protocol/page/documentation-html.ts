import type { Locale } from '@candela/contract';
import { DOCUMENTATION_PAGE } from '@candela/contract/pages';
import { textsOf } from '../../branding/texts/texts.ts';
import { type Html, html, raw } from '../../http/html.ts';
import { barStyle } from './document-html.ts';
import type { DocumentationPage } from './documentation.ts';

/** So many headings are found without a list of them. */
const FEW_HEADINGS = 2;

/** A page of the documentation, which is in English, in a frame of the reader's language. */
export const renderGuide = (
  { title, html: text, contents }: DocumentationPage,
  { brand, locale, isHome }: { brand: string; locale: Locale; isHome: boolean },
): Html => {
  const { forDevelopers } = textsOf(locale).pages;
  const list = contents.map(
    ({ anchor, title: heading }) => html`<li><a href="#${anchor}">${heading}</a></li>`,
  );
  const nav =
    contents.length > FEW_HEADINGS &&
    html`<nav aria-labelledby="contents"><h2 id="contents">${textsOf('en').pages.document.contents}</h2><ul>${list}</ul></nav>`;
  return html`<header class="document-bar"><a href="/index">${brand}</a><a href="${isHome ? '/developers' : DOCUMENTATION_PAGE}">${forDevelopers}</a></header>
<main class="document-page" id="main"><article class="guide" id="document" lang="en">
<h1>${title}</h1>
${nav}
${raw(text)}</article></main>`;
};

const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace';

/** Adds to the portal's own styles. Tables of narrow windows are lists: nothing scrolls sideways. */
export const documentationStyle = `${barStyle}
#document{overflow-wrap:anywhere}
#document h1{margin-block-end:16px}
#document h2{margin-block:40px 12px;font-size:1.25rem}
#document h3{margin-block:28px 8px}
#document :is(h2,h3):focus{outline:none;box-shadow:none}
#document p,#document ul,#document ol{margin-block:0 12px;max-width:72ch}
#document ul,#document ol{padding-inline-start:24px}
#document ul{list-style:disc}
#document ol{list-style:decimal}
#document li{margin-block-end:6px}
#document a{text-decoration:underline;text-underline-offset:.2em}
#document code{font-family:${mono};font-size:.875em}
#document :not(pre)>code{padding:.1em .3em;border-radius:6px;background:var(--soft)}
#document .code{position:relative;margin-block:0 16px;padding:12px 16px;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
#document pre{margin:0;font-size:.875rem;line-height:1.55;tab-size:2;white-space:pre-wrap}
#document pre code{font-size:inherit}
#document .code>.copy{display:flex;justify-content:flex-end}
#document nav{margin-block:0 24px;padding:16px 20px;border:1px solid var(--line);border-radius:18px;background:var(--surface)}
#document nav h2{margin-block:0 8px;font-size:1.0625rem}
#document nav ul{padding:0;margin:0;list-style:none}
#document nav li{margin:0}
#document nav a{display:inline-block;min-height:28px;padding-block:2px;text-decoration:none}
#document nav a:hover{text-decoration:underline}
#document table{width:100%;margin-block:0 16px;border-collapse:collapse;font-size:.9375rem}
#document :is(th,td){padding:8px 12px 8px 0;border-block-end:1px solid var(--line);text-align:start;vertical-align:top}
#document th{color:var(--muted);font-weight:600}
@media(min-width:600px){
#document .code:has(>.copy){display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 12px;align-items:start}
#document td:first-child{min-width:9rem}
}
@media(max-width:599px){
#document table,#document tbody,#document tr,#document td{display:block}
#document thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
#document tr{padding-block:8px;border-block-end:1px solid var(--line)}
#document td{padding:2px 0;border:0}
#document td:has(>div:empty){display:none}
#document td:not(:first-child)::before{content:attr(data-label);display:block;color:var(--muted);font-size:.8125rem}
}`;
