import type { Context } from 'koa';
import type { Brand } from '../brand/brand.ts';
import { AppError } from '../errors.ts';
import { stateOf } from '../http/request-state.ts';
import { setEnginePolicy } from '../http/security-headers.ts';
import { textsOf } from '../texts/texts.ts';
import { escapeHtml, noticePage, type Pages } from './pages.ts';

const LOCAL = /^http:\/\/localhost(:\d+)?$/;

/** The brand that a host which is not ours is about: the one whose marker it contains, else the only one. */
const brandOf = (brands: readonly Brand[], host: string): Brand | undefined =>
  brands.find(({ marker }) => host.includes(marker)) ?? (brands.length === 1 ? brands[0] : undefined);

/**
 * Answers 421 (RFC 9110 section 15.5.20): people get a page in their language. Where the service really is,
 * it says on a developer's machine alone.
 */
export const createMisdirectedAnswer =
  (brands: readonly Brand[], publicUrl: string, pages: Pick<Pages, 'errorTextOf'>) =>
  (ctx: Context): void => {
    const isLocal = LOCAL.test(publicUrl);
    // There, whoever takes anything is shown the way; elsewhere only who prefers a page is a person.
    const wantsPage = isLocal ? ctx.accepts('html') : ctx.accepts('json', 'html') === 'html';
    if (!wantsPage) throw new AppError('misdirected_request');
    const { locale, nonce } = stateOf(ctx);
    const place = escapeHtml(publicUrl);
    const brand = brandOf(brands, ctx.get('host').toLowerCase());
    const { title, text } = pages.errorTextOf(brand, locale, 'misdirected_request');
    const paragraphs = [
      escapeHtml(text),
      ...(isLocal ? [`${textsOf(locale).pages.servedAt} <a href="${place}">${place}</a>`] : []),
      ...(brand ? [escapeHtml(brand.name)] : []),
    ];
    setEnginePolicy(ctx);
    ctx.status = 421;
    ctx.type = 'html';
    ctx.body = noticePage({
      locale,
      nonce,
      brand,
      title,
      body: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(''),
      lit: false,
    });
  };
