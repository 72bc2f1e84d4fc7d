import { readFile } from 'node:fs/promises';

/** A configuration file that the documentation recommends. */
export const readSample = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/samples/${name}`, import.meta.url), 'utf8');

/** Puts values of this machine into a sample; each placeholder has to occur. */
export const adaptSample = (sample: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [there, here]) => {
    if (!text.includes(there)) throw new Error(`the sample has no ${there}`);
    return text.replaceAll(there, here);
  }, sample);
