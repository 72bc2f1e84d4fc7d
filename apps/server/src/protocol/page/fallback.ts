import type { Boot, Locale } from '@candela/contract';
import { isHttps } from '@candela/contract/rules/is-https';
import type { Brand } from '../../branding/brand/brand.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import { type Html, html } from '../../http/html.ts';

/** The title and the sentence of an error. */
export interface ErrorText {
  title: string;
  text: string;
}

/** The foot of a page without the SPA: the documents, and where people get help. */
export const renderFooter = ({ support }: Pick<Brand, 'support'>, locale: Locale): Html => {
  const texts = textsOf(locale).pages;
  const help = isHttps(support)
    ? html` <a href="${support}">${texts.support}</a>`
    : html` <a href="mailto:${support}">${texts.support} <bdi>${support}</bdi></a>`;
  return html`<footer><a href="/license">${texts.terms}</a> <a href="/privacy">${texts.privacy}</a>${support && help}</footer>`;
};

const renderNoScript = ({ locale, error, brand }: Boot, wrong: ErrorText | undefined): Html => {
  const texts = textsOf(locale).pages;
  const footer = renderFooter(brand, locale);
  if (!error || !wrong) return html`<noscript><p>${texts.needsScript}</p>${footer}</noscript>`;
  const again = error.startAgain
    ? html`<p><a href="${error.startAgain.uri}">${texts.startAgain} ${error.startAgain.name}</a></p>`
    : html`<p><a href="/index">${texts.toAccount}</a></p>`;
  return html`<noscript><h1>${wrong.title}</h1><p>${wrong.text}</p>${again}<p>${texts.reference} <code>${error.requestId}</code></p>${footer}</noscript>`;
};

/** The body of a page of the SPA until the SPA draws, and for good where its scripts do not come. */
export const renderFallback = (boot: Boot, wrong: ErrorText | undefined): Html => {
  const { unloadedTitle, unloaded, retry } = textsOf(boot.locale).pages;
  return html`${renderNoScript(boot, wrong)}<div id="unloaded" role="alert" hidden><h1>${unloadedTitle}</h1><p>${unloaded}</p><button type="button">${retry}</button></div>`;
};

export const fallbackStyle =
  '#unloaded{max-width:360px;margin:20vh auto;padding:0 24px;text-align:center}#unloaded h1{margin:0 0 12px;font-size:28px;line-height:1.25}#unloaded button{min-height:48px;padding:8px 24px;margin-top:24px;border:0;border-radius:12px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}';
