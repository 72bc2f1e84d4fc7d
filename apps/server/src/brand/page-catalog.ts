import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextCatalog } from './brand-texts.ts';

/** What the pages say, as their build wrote it down; undefined where they are not built. */
export const readPageCatalog = (webDist: string): TextCatalog['pages'] => {
  try {
    return JSON.parse(readFileSync(join(webDist, '.texts.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
