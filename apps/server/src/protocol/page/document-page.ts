import { matchLocale } from '@candela/contract';
import type { Context, Middleware } from 'koa';
import type { DocumentId } from '../../branding/legal/document.ts';
import { findDocument } from '../../branding/legal/editions.ts';
import { stateOf } from '../../http/request-state.ts';
import { documentStyle, otherDocument, renderArticle, renderBody } from './document-html.ts';
import type { Pages } from './pages.ts';

/** The page of a document, complete without JavaScript; `?lang=` chooses another language. */
export const createDocumentPage =
  (pages: Pages, id: DocumentId): Middleware =>
  async (ctx: Context) => {
    const state = stateOf(ctx);
    const { lang, version } = ctx.query;
    if (typeof lang === 'string') state.locale = matchLocale([lang]) ?? state.locale;
    const { brand, locale } = state;
    const { host, hostname } = new URL(brand.origin);
    const document = findDocument(id, locale, version, brand.legal?.editions);
    const publisher = { brand: brand.name, host, contact: brand.legal?.contact ?? `privacy@${hostname}` };
    const article = renderArticle(
      document,
      publisher,
      findDocument(otherDocument(id), locale, undefined, brand.legal?.editions),
    );
    pages.renderDocument(ctx, {
      title: document.text.title,
      body: renderBody(article, document, brand.name),
      style: documentStyle,
    });
  };
