import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of a clone, as a person reads it. */
export const openPage = (clone: string, path: string) => {
  const text = readFileSync(join(clone, path), 'utf8');
  return {
    /**
     * The fenced blocks of a language below a heading, up to the next heading.
     * @throws Error if there are none
     */
    blocks: (heading: string, language: string): string[] => {
      const [, section = ''] = text.split(`## ${heading}\n`);
      const [before = ''] = section.split(/^## /m);
      const form = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
      const found = [...before.matchAll(form)].map(([, block = '']) => block);
      if (found.length === 0) throw new Error(`${path} has no block of ${language} below "${heading}"`);
      return found;
    },
  };
};
