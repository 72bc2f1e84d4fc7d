import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of a clone, as a person reads it. */
export const openPage = (clone: string, path: string) => {
  const text = readFileSync(join(clone, path), 'utf8');
  return {
    /**
     * The first fenced block of a language below a heading, up to the next heading.
     * @throws Error if there is none
     */
    block: (heading: string, language: string): string => {
      const [, section = ''] = text.split(`## ${heading}\n`);
      const [before = ''] = section.split(/^## /m);
      const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(before)?.[1];
      if (!found) throw new Error(`${path} has no block of ${language} below "${heading}"`);
      return found;
    },
  };
};
