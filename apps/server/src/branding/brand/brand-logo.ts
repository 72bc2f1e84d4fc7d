import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../ground/start-error.ts';
import type { Picture } from '../picture/picture.ts';
import type { PictureEncoder } from '../picture/picture-encoder.ts';
import { contentName, logoPath } from '../picture/picture-path.ts';
import type { Brand } from './brand.ts';

/** The logos of the brands that have one, encoded anew and kept in memory. */
export interface BrandLogos {
  /** Where the brand's logo is served, if it has one. */
  pathOf(brandId: string): string | undefined;
  logoOf(brandId: string): Picture | undefined;
  find(name: string): Picture | undefined;
}

const readLogo = async (path: string, encoder: PictureEncoder): Promise<Buffer | string> => {
  try {
    return await encoder.toLogo(await readFile(path));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return 'does not exist';
    return code === 'image_unreadable' || code === 'unsupported_media_type'
      ? 'is no JPEG or PNG of a usable size'
      : `cannot be read (${code})`;
  }
};

/** @throws ConfigError naming every logo that cannot be used. */
export const loadBrandLogos = async (
  brands: readonly Brand[],
  encoder: PictureEncoder,
): Promise<BrandLogos> => {
  const names = new Map<string, string>();
  const pictures = new Map<string, Picture>();
  const problems: string[] = [];
  for (const { id, logoFile } of brands) {
    if (logoFile === undefined) continue;
    const bytes = await readLogo(logoFile, encoder);
    if (typeof bytes === 'string') {
      problems.push(`BRANDS_FILE: the logo of "${id}" ${logoFile} ${bytes}`);
      continue;
    }
    const name = contentName(id, bytes);
    names.set(id, name);
    pictures.set(name, { type: 'image/png', bytes });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    pathOf: (brandId) => {
      const name = names.get(brandId);
      return name && logoPath(name);
    },
    logoOf: (brandId) => pictures.get(names.get(brandId) ?? ''),
    find: (name) => pictures.get(name),
  };
};
