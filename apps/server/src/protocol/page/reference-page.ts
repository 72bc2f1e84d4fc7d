import type { Locale } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import { html, raw } from '../../http/html.ts';
import { brandStyle } from './brand-style.ts';

/** The paths of the files that the page loads. */
export interface ReferenceFiles {
  style: string;
  library: string;
  /** `referenceScript`. */
  start: string;
}

/**
 * Starts Swagger UI, whose dark theme is a class. A link inside a button cannot be reached, so paths are no links; the
 * address follows what is open all the same. Headings skip no level, and landmarks hold all of the page.
 */
export const referenceScript = `const accessible = ({ React: { createElement, Fragment } }) => {
  const inRegion = (name) => (Part) => (props) =>
    createElement('section', { 'aria-label': name }, createElement(Part, props));
  const headed = (text) => (Part) => (props) =>
    createElement(Fragment, null, createElement('h2', { className: 'unseen' }, text), createElement(Part, props));
  return {
    components: { DeepLink: ({ text }) => createElement('span', null, text) },
    wrapComponents: {
      InfoContainer: inRegion('About'),
      FilterContainer: inRegion('Filter'),
      operations: headed('Operations'),
    },
  };
};
const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setTheme);
setTheme();
SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [accessible],
  queryConfigEnabled: false,
  validatorUrl: null,
});
`;

/** The bar of the page, and what Swagger UI lacks on a phone. */
const referenceStyle = `body{margin:0;background:var(--page);color:var(--ink)}
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 24px;max-width:1460px;min-height:56px;margin:0 auto;padding:8px 20px;box-sizing:border-box;font:16px/1.5 system-ui,sans-serif;border-block-end:1px solid var(--line)}
.bar a{display:inline-block;padding-block:8px;color:var(--ink)}
.bar strong{font-weight:600}
.swagger-ui,.swagger-ui .info .title,.swagger-ui .opblock-tag,.swagger-ui .opblock .opblock-summary-description,.swagger-ui .btn,.swagger-ui table thead tr th,.swagger-ui .parameter__name{font-family:system-ui,sans-serif}
.swagger-ui .scheme-container,html.dark-mode .swagger-ui .scheme-container{background:none;box-shadow:none;padding:16px 0}
html.dark-mode body{background:var(--page)}
.swagger-ui .opblock .opblock-summary-method{color:#111;text-shadow:none}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.swagger-ui .servers-title,.swagger-ui .servers{display:none!important}
.swagger-ui .microlight{max-height:none!important;overflow:visible!important;background:#111!important;white-space:pre-wrap!important;overflow-wrap:anywhere}
.swagger-ui .microlight span[style*="211, 99, 99"]{color:#ffa3a3!important}
html:not(.dark-mode) .swagger-ui :is(.info a,.info .url,.info__contact a,.info__license a){color:#0b57a4}
html:not(.dark-mode) .swagger-ui :is(.version-stamp pre,pre.version){background:#4a5560;color:#fff}
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp{background:#2f6b05}
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp pre{background:none}
html:not(.dark-mode) .swagger-ui .btn.authorize{border-color:#1b6e4c;color:#1b6e4c}
html:not(.dark-mode) .swagger-ui .btn.authorize svg{fill:#1b6e4c}
html:not(.dark-mode) .swagger-ui :is(.markdown,.renderedMarkdown) code{color:#6b1fa8}
html:not(.dark-mode) .swagger-ui .parameter__in{color:#555}
:focus-visible{outline:3px solid rgb(var(--glow));outline-offset:2px}
@media(max-width:700px){
.swagger-ui .wrapper{padding:0 12px}
.swagger-ui .opblock-tag{flex-wrap:wrap;gap:4px}
.swagger-ui .opblock-tag small{flex:1 1 100%;order:1;padding:0}
.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}
.swagger-ui .opblock .opblock-summary-description{flex:1 1 100%}
.swagger-ui .opblock .opblock-summary-path{max-width:100%}
.swagger-ui .parameters,.swagger-ui .parameters tbody,.swagger-ui .parameters tr,.swagger-ui .parameters td{display:block;width:auto}
.swagger-ui .parameters thead{display:none}
.swagger-ui .parameters td.col_header{display:none}
}`;

export interface ReferencePage {
  brand: Brand;
  locale: Locale;
  nonce: string;
  files: ReferenceFiles;
}

/** The page around Swagger UI: whose API it is, and the way back. */
export const renderReference = ({ brand, locale, nonce, files }: ReferencePage): string => {
  const { apiReference, toAccount, needsScript } = textsOf(locale).pages;
  const style = raw(`${brandStyle(brand)}${referenceStyle}`);
  return html`<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${apiReference} - ${brand.name}</title><link rel="stylesheet" href="${files.style}"><style nonce="${nonce}">${style}</style></head><body><header class="bar"><strong>${brand.name}</strong><a href="/index">${toAccount}</a></header><noscript><p>${needsScript} <a href="/openapi.json">openapi.json</a></p></noscript><div id="reference" lang="en"></div><script nonce="${nonce}" src="${files.library}"></script><script nonce="${nonce}" src="${files.start}"></script></body></html>`
    .markup;
};
