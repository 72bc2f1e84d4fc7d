import { isPagePath, pages } from '@candela/contract/pages';
import type { Texts } from '../brand/brand-texts.ts';

/** The title of the page at a path, from the texts of the pages in one language. Unknown paths and documents have none. */
export const pageTitle = (path: string, texts: Texts | undefined): string | undefined => {
  const key = isPagePath(path) ? pages[path].title : undefined;
  return key === undefined ? undefined : texts?.[key];
};
