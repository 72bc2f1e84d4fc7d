import { createPageWords } from '../../branding/brand/page-words.ts';
import { createAssets } from '../../protocol/page/assets.ts';
import { createDocumentation } from '../../protocol/page/documentation.ts';
import { createPages } from '../../protocol/page/pages.ts';
import type { Config } from '../config/config.ts';
import type { WiredPictures } from './pictures.ts';
import type { WiredWords } from './words.ts';

export type WiredPages = ReturnType<typeof wirePages>;

/** The built SPA: its files, and the pages that load them. */
export const wirePages = (
  { passwordProfile, assetOrigin }: Config,
  webDist: string,
  { brands, onChange, catalog }: Pick<WiredWords, 'brands' | 'onChange' | 'catalog'>,
  { brandLogos }: Pick<WiredPictures, 'brandLogos'>,
) => {
  const assets = createAssets(webDist);
  const pages = createPages({
    webDist,
    words: createPageWords({ brands, catalog: catalog.pages, publish: assets.publish, onChange }),
    passwordProfile,
    assetOrigin,
    brandLogo: brandLogos.pathOf,
  });
  return { assets, pages, documentation: createDocumentation(webDist) };
};
