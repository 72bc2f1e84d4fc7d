import { DOCUMENTATION_PAGE } from '@candela/contract/pages';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';
import type { Documentation } from './documentation.ts';
import { documentationStyle, renderGuide } from './documentation-html.ts';
import type { Pages } from './pages.ts';

export interface DocumentationRoutesOptions {
  pages: Pages;
  documentation: Documentation;
}

/** The documentation for developers, in the brand's frame and without a session; or the way to the brand's own. */
export const createDocumentationRoutes = ({ pages, documentation }: DocumentationRoutesOptions): Router => {
  const router = createRouter();

  const answer = async (ctx: Context, name: string) => {
    const { brand, locale } = stateOf(ctx);
    if (brand.docs) return seeOther(ctx, brand.docs);
    const page = await documentation.find(name);
    if (!page) throw new AppError('not_found');
    const body = renderGuide(page, { brand: brand.name, locale, isHome: name === '' });
    pages.renderDocument(ctx, { title: page.title, body, style: documentationStyle });
  };

  router.get(DOCUMENTATION_PAGE, (ctx: Context) => answer(ctx, ''));
  router.get(`${DOCUMENTATION_PAGE}/:page`, (ctx: Context) => {
    const { page = '' } = ctx.params as { page?: string };
    // The address of the page about all pages is the one above.
    if (page === '') throw new AppError('not_found');
    return answer(ctx, page);
  });

  return router;
};
