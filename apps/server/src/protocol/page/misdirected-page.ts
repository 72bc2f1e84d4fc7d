import type { Context } from 'koa';
import type { Brand } from '../../branding/brand/brand.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import { AppError } from '../../ground/errors.ts';
import { html } from '../../http/html.ts';
import { stateOf } from '../../http/request-state.ts';
import { setEnginePolicy } from '../../http/security-headers.ts';
import { renderNoticePage } from './notice-page.ts';
import type { Pages } from './pages.ts';

const LOCAL = /^http:\/\/localhost(:\d+)?$/;

/** The brand that a person looks for at a host of no brand: the brand whose marker it contains, else the only brand. */
const brandOf = (brands: readonly Brand[], host: string): Brand | undefined =>
  brands.find(({ marker }) => host.includes(marker)) ?? (brands.length === 1 ? brands[0] : undefined);

/**
 * Answers 421 (RFC 9110 section 15.5.20), people with a page in their language. Only on a developer's machine does the
 * page name the address of the service.
 */
export const createMisdirectedAnswer =
  (brands: readonly Brand[], publicUrl: string, pages: Pick<Pages, 'errorTextOf'>) =>
  (ctx: Context): void => {
    const isLocal = LOCAL.test(publicUrl);
    // On a developer's machine whoever takes a page gets it; elsewhere only whoever prefers a page to JSON.
    const wantsPage = isLocal ? ctx.accepts('html') : ctx.accepts('json', 'html') === 'html';
    if (!wantsPage) throw new AppError('misdirected_request');
    const { locale, nonce } = stateOf(ctx);
    const brand = brandOf(brands, ctx.get('host').toLowerCase());
    const { title, text } = pages.errorTextOf(brand, locale, 'misdirected_request');
    const place = html`<p>${textsOf(locale).pages.servedAt} <a href="${publicUrl}">${publicUrl}</a></p>`;
    setEnginePolicy(ctx);
    ctx.status = 421;
    ctx.type = 'html';
    ctx.body = renderNoticePage({
      locale,
      nonce,
      brand,
      title,
      body: html`<p>${text}</p>${isLocal && place}${brand && html`<p>${brand.name}</p>`}`,
      lit: false,
    });
  };
