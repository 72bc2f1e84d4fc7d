import { readPageCatalog } from '../../branding/brand/page-catalog.ts';
import { createPageWords } from '../../branding/brand/page-words.ts';
import { createAssets } from '../../protocol/page/assets.ts';
import { createDocumentation } from '../../protocol/page/documentation.ts';
import { createPages } from '../../protocol/page/pages.ts';
import type { Config } from '../config/config.ts';
import type { WiredPictures } from './pictures.ts';

export type WiredPages = ReturnType<typeof wirePages>;

/** The built SPA: its files, and the pages that load them. */
export const wirePages = (
  { brands, passwordProfile, assetOrigin }: Config,
  webDist: string,
  { brandLogos }: Pick<WiredPictures, 'brandLogos'>,
) => {
  const assets = createAssets(webDist);
  const pageTexts = readPageCatalog(webDist);
  const pages = createPages({
    webDist,
    words: createPageWords({ brands, catalog: pageTexts, publish: assets.publish }),
    passwordProfile,
    assetOrigin,
    brandLogo: brandLogos.pathOf,
  });
  return { assets, pages, pageTexts, documentation: createDocumentation(webDist) };
};
