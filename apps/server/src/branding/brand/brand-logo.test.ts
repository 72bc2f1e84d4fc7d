import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPhoto } from '../../../testing/pictures.ts';
import { createLogger } from '../../ground/logger.ts';
import { createPictureEncoder } from '../picture/picture-encoder.ts';
import { loadBrandLogos } from './brand-logo.ts';
import { builtInBrands } from './built-in.ts';
import { placeBrands } from './place-brands.ts';

const encoder = createPictureEncoder({ maxQueue: 1, logger: createLogger('silent') });
const [brand] = placeBrands(builtInBrands, 'https://id.example');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-logo-'));
});
afterAll(async () => {
  await encoder.close();
  await rm(directory, { recursive: true, force: true });
});

test('a brand without a logo has none', async () => {
  const logos = await loadBrandLogos([brand], encoder);
  expect(logos.pathOf(brand.id)).toBeUndefined();
});

test('every process gives the same logo the same name, and different logos different names', async () => {
  const logoFile = join(directory, 'logo.jpg');
  const load = async (left: string) => {
    await writeFile(logoFile, await createPhoto({ left }));
    return (await loadBrandLogos([{ ...brand, logoFile }], encoder)).pathOf(brand.id);
  };
  const first = await load('#c83200');
  expect(await load('#c83200')).toBe(first);
  expect(await load('#00c832')).not.toBe(first);
});

test('a start reports every logo that cannot be used', async () => {
  const logoFile = join(directory, 'page.png');
  await writeFile(logoFile, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const missing = join(directory, 'none.png');
  const brands = [
    { ...brand, id: 'a', logoFile },
    { ...brand, id: 'b', logoFile: missing },
    { ...brand, id: 'c', logoFile: directory },
  ];
  await expect(loadBrandLogos(brands, encoder)).rejects.toMatchObject({
    problems: [
      `BRANDS_FILE: the logo of "a" ${logoFile} is no JPEG or PNG of a usable size`,
      `BRANDS_FILE: the logo of "b" ${missing} does not exist`,
      `BRANDS_FILE: the logo of "c" ${directory} cannot be read (EISDIR)`,
    ],
  });
});
