import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../start-error.ts';
import { placeBrands, readBrandsFile } from './brand.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-brands-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'brands.json');

const read = (brands: unknown) => {
  writeFileSync(path, JSON.stringify(brands));
  return readBrandsFile({ path, name: 'BRANDS_FILE' });
};

const problemsOf = (brands: unknown): readonly string[] => {
  try {
    read(brands);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('an id and an origin belong to one brand', () => {
  const origin = 'https://id.example';
  expect(problemsOf([{ id: 'a' }, { id: 'a' }])).toEqual(['BRANDS_FILE: the id "a" belongs to two brands']);
  expect(
    problemsOf([
      { id: 'a', origin },
      { id: 'b', origin: `${origin}/` },
    ]),
  ).toEqual([`BRANDS_FILE: the origin ${origin} belongs to two brands`]);
});

test.each(['https://c.example/path', 'ftp://c.example', 'foo:bar', 'c.example', 'https://c.example?a'])(
  'an origin is of http or https and has no path: %s',
  (origin) => {
    expect(problemsOf([{ id: 'a', origin }])).toEqual([
      'BRANDS_FILE: [0].origin must be an origin without a path, such as https://id.example.com',
    ]);
  },
);

test('what is unknown is refused, and the rest of the form is taken', () => {
  expect(problemsOf([{ id: 'a', logo: 'logo.svg', legal: {}, colour: 'red' }])).toEqual([
    'BRANDS_FILE: [0].colour is unknown',
  ]);
  expect(problemsOf([{ name: 'A' }, { id: 'b', tokens: { light: { accent: 'red; top: 0' } } }])).toEqual([
    'BRANDS_FILE: [0].id is missing',
    'BRANDS_FILE: [1].tokens.light.accent is not of the right form',
  ]);
  expect(problemsOf({})).toEqual(['BRANDS_FILE: the whole must be of type array']);
  expect(problemsOf([])).toEqual(['BRANDS_FILE: the whole must name a brand']);
  expect(read([{ id: 'a', mailFrom: 'id@a.example' }])).toMatchObject([{ mailFrom: 'id@a.example' }]);
});

test('PUBLIC_URL goes to the brand whose marker is in its host, else to the first without an origin', () => {
  const brands = read([{ id: 'a', origin: 'https://a.example' }, { id: 'fjord' }, { id: 'borealis' }]);
  const placed = (publicUrl: string) => placeBrands(brands, publicUrl).map(({ id, origin }) => [id, origin]);
  expect(placed('https://id.borealis.example')).toEqual([
    ['borealis', 'https://id.borealis.example'],
    ['a', 'https://a.example'],
  ]);
  expect(placed('http://localhost:3000')).toEqual([
    ['fjord', 'http://localhost:3000'],
    ['a', 'https://a.example'],
  ]);
});
