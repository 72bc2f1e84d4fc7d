import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The origin of the second of two brands: a server has both addresses. */
export const otherOrigin = (origin: string): string => origin.replace('localhost', '127.0.0.1');

/** The environment of a server of two brands. */
export const twoBrands = async (port: number): Promise<Record<string, string>> => {
  const file = join(await mkdtemp(join(tmpdir(), 'candela-two-brands-')), 'brands.json');
  const origin = otherOrigin(`http://localhost:${port}`);
  await writeFile(file, JSON.stringify([{ id: 'aurelia' }, { id: 'borealis', origin }]));
  return { BRANDS_FILE: file };
};
