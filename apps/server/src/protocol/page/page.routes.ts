import type { Prompt } from '@candela/contract';
import {
  documentPages,
  HOME_PAGE,
  type PagePath,
  type PathWith,
  pagePaths,
  pages as rows,
} from '@candela/contract/pages';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { documentIds } from '../../branding/legal/document.ts';
import { ACCEPT_CH } from '../../ground/browser/client-hints.ts';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { seeOther } from '../../http/see-other.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { createDocumentPage } from './document-page.ts';
import type { Pages } from './pages.ts';

type FindCurrent = (ctx: Context) => Promise<CurrentSession | undefined>;

export interface PageRoutesOptions {
  pages: Pages;
  /** The session that this browser is signed in with. */
  findCurrent: FindCurrent;
  /** Whether the person works at the desk; `there`: nobody is signed in, and there is one. */
  deskRoleAt(ctx: Context): Promise<'staff' | 'there' | undefined>;
}

const signInFor = (returnTo: string, prompt?: Prompt) =>
  `/sign-in?${new URLSearchParams({ return_to: returnTo, ...(prompt && { prompt }) })}`;

/** No other page keeps a reference to this window. The pages of a sign-in do without it: apps open them as popups. */
const standAlone = (ctx: Context) => ctx.set('Cross-Origin-Opener-Policy', 'same-origin');

const inInteraction = ({ query }: Context) =>
  typeof query.interaction === 'string' && query.interaction !== '';

type InteractionPath = PathWith<{ needs: 'interaction' }>;

/** The prompt of the sign-in that begins where such a page is opened outside an interaction. */
const firstPrompts: Record<
  InteractionPath,
  (ctx: Context, findCurrent: FindCurrent) => Promise<Prompt | undefined>
> = {
  '/login': async (ctx, findCurrent) => ((await findCurrent(ctx)) ? 'select_account' : undefined),
  '/register': async () => 'create',
};

const needsInteraction = (path: PagePath): path is InteractionPath => rows[path].needs === 'interaction';

/** A page of staff: without a desk, and for everybody else, there is no such page. */
const createStaffGuard =
  ({ deskRoleAt }: Pick<PageRoutesOptions, 'deskRoleAt'>): Middleware =>
  async (ctx, next) => {
    const role = await deskRoleAt(ctx);
    if (!role) throw new AppError('not_found');
    standAlone(ctx);
    return role === 'staff' ? next() : seeOther(ctx, signInFor(`${ctx.path}${ctx.search}`));
  };

/** Leads a browser that lacks what the page needs to a sign-in. */
const createGuard = (path: PagePath, options: PageRoutesOptions): Middleware => {
  const { findCurrent } = options;
  if (rows[path].needs === 'staff') return createStaffGuard(options);
  if (needsInteraction(path)) {
    return async (ctx, next) => {
      if (inInteraction(ctx)) return next();
      seeOther(ctx, signInFor(HOME_PAGE, await firstPrompts[path](ctx, findCurrent)));
    };
  }
  const { needs, standsAlone } = rows[path];
  return async (ctx, next) => {
    if (needs === 'session' || (standsAlone && !inInteraction(ctx))) standAlone(ctx);
    if (needs === 'session' && !(await findCurrent(ctx)))
      return seeOther(ctx, signInFor(`${ctx.path}${ctx.search}`));
    return next();
  };
};

/** Serves the pages of the contract, except those whose row names another part of the server. */
export const createPageRoutes = (options: PageRoutesOptions): Router => {
  const { pages } = options;
  const router = createRouter();

  const answerPage: Middleware = async (ctx) => {
    // On every page, so that the sign-in which follows sends them; no page is worth a second request.
    ctx.set('Accept-CH', ACCEPT_CH);
    pages.renderPage(ctx);
  };
  const answerErrorPage: Middleware = async (ctx) => {
    ctx.status = 200;
    if (ctx.query.reason === 'sign_in_failed') pages.renderError(ctx, 'sign_in_failed');
    else pages.renderPage(ctx);
  };

  for (const path of pagePaths) {
    if (rows[path].servedBy || rows[path].frame === 'document') continue;
    router.get(path, createGuard(path, options), path === '/error' ? answerErrorPage : answerPage);
  }
  for (const id of documentIds) router.get(documentPages[id], createDocumentPage(pages, id));
  for (const path of ['/', '/.well-known/change-password'])
    router.get(path, async (ctx: Context) => seeOther(ctx, HOME_PAGE));

  return router;
};
