import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextCatalog } from './brand-texts.ts';

/** The texts of the pages as the build wrote them down; undefined while the pages are not built. */
export const readPageCatalog = (webDist: string): TextCatalog['pages'] => {
  try {
    return JSON.parse(readFileSync(join(webDist, '.texts.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
