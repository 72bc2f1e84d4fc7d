import type Router from '@koa/router';
import { type AppLinks, toAssetLinks, toSiteAssociation } from '../../branding/brand/app-links.ts';
import { AppError } from '../../ground/errors.ts';
import { stateOf } from '../../http/request-state.ts';

/** Phones read these documents when an app is installed, Apple's by a cache of its own. */
const CACHED = 'public, max-age=3600';

/** The documents by which phones open links to a brand in the brand's own app. */
const documents: Readonly<Record<string, (links: AppLinks) => object | undefined>> = {
  // Digital Asset Links, section "Creating a statement list".
  '/.well-known/assetlinks.json': toAssetLinks,
  // Apple, "Supporting associated domains".
  '/.well-known/apple-app-site-association': toSiteAssociation,
};

export const mountAppLinks = (router: Router): void => {
  for (const [path, write] of Object.entries(documents))
    router.get(path, async (ctx) => {
      const { appLinks } = stateOf(ctx).brand;
      const document = appLinks && write(appLinks);
      if (!document) throw new AppError('not_found');
      ctx.body = JSON.stringify(document);
      // Both want exactly this type, although Apple's path has no suffix.
      ctx.set('Content-Type', 'application/json');
      ctx.set('Cache-Control', CACHED);
    });
};
