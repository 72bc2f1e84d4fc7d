import { resolve } from 'node:path';
import { locales } from '@candela/contract';
import * as z from 'zod/mini';
import { readSettingsFile, type SettingsFile } from '../../ground/settings-file/settings-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { documentIds, type Edition, type Editions } from './document.ts';

/** Documents in a brand's own words; a document that is left out has the built-in text. */
export interface BrandLegal {
  /** The contact in the documents. Default: `privacy@` at the brand's host. */
  contact?: string;
  editions: Partial<Editions>;
}

/** `legal` in an entry of BRANDS_FILE: paths of files with editions, from the directory of BRANDS_FILE. */
export const BrandLegalEntry = z.strictObject({
  contact: z.optional(z.email()),
  terms: z.optional(z.string().check(z.minLength(1))),
  privacy: z.optional(z.string().check(z.minLength(1))),
});

const text = z.string().check(z.minLength(1));
const DocumentText = z.strictObject({
  title: text,
  lead: text,
  sections: z.record(
    z.string().check(z.regex(/^[a-z][\w-]{0,60}$/i, 'must be an anchor of letters, digits and hyphens')),
    z.strictObject({ title: text, body: z.array(z.union([text, z.array(text)])) }),
  ),
});

const EditionsFile = z
  .array(
    z.strictObject({
      version: z.string().check(z.regex(/^[\w.-]{1,40}$/)),
      effectiveOn: z.iso.date(),
      texts: z.record(z.enum(locales), DocumentText),
    }),
  )
  .check(
    z.minLength(1, 'must have an edition'),
    z.refine(
      (editions) => new Set(editions.map(({ version }) => version)).size === editions.length,
      'must not have a version twice',
    ),
  );

const readEditions = (file: SettingsFile): readonly [Edition, ...Edition[]] => {
  const [newest, ...older] = readSettingsFile(file, EditionsFile);
  if (!newest) throw new ConfigError([`${file.name} has no edition`]);
  return [newest, ...older];
};

/**
 * Reads the documents of one brand.
 * @throws ConfigError naming each file that cannot be used, and what is wrong in it.
 */
export const readBrandLegal = (
  { contact, ...paths }: z.infer<typeof BrandLegalEntry>,
  { brand, directory }: { brand: string; directory: string },
): BrandLegal => {
  const problems: string[] = [];
  const editions: BrandLegal['editions'] = {};
  for (const id of documentIds) {
    const path = paths[id];
    if (path === undefined) continue;
    const file = resolve(directory, path);
    try {
      editions[id] = readEditions({ path: file, name: `BRANDS_FILE: ${id} of "${brand}" ${file}` });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...(contact && { contact }), editions };
};
