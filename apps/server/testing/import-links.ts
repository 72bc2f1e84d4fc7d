import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLinks, type LinkImportOptions } from '../src/operation/link-import/import-links.ts';

type Options = Pick<LinkImportOptions, 'db'> & Partial<LinkImportOptions>;

/** Imports links from a file of these lines, and answers what the command does, with the reasons by line. */
export const importLinkLines = async (lines: readonly (object | string)[], options: Options) => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-links-'));
  const path = join(directory, 'links.jsonl');
  try {
    await writeFile(
      path,
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    const summary = await importLinks({
      path,
      brands: ['aurelia', 'borealis'],
      resourceServers: { listOfBrand: async () => [] },
      now: () => new Date(),
      ...options,
    });
    const report = await readFile(`${path}.refused.jsonl`, 'utf8').catch(() => '');
    const reasons: [number, string][] = report
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text))
      .map(({ line, reason }) => [line, reason]);
    return { ...summary, reasons };
  } finally {
    await rm(directory, { recursive: true });
  }
};
