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
  expect(problemsOf([{ id: 'a', logo: 'logo.png', legal: {}, colour: 'red' }])).toEqual([
    'BRANDS_FILE: [0].colour is unknown',
  ]);
  expect(problemsOf([{ name: 'A' }, { id: 'b', tokens: { light: { accent: 'red; top: 0' } } }])).toEqual([
    'BRANDS_FILE: [0].id is missing',
    'BRANDS_FILE: [1].tokens.light.accent is not of the right form',
  ]);
  expect(problemsOf([{ id: 'a', logo: '', legal: { imprint: 'x' } }])).toEqual([
    'BRANDS_FILE: [0].logo is not of the right form',
    'BRANDS_FILE: [0].legal.imprint is unknown',
  ]);
  expect(problemsOf({})).toEqual(['BRANDS_FILE: the whole must be of type array']);
  expect(problemsOf([])).toEqual(['BRANDS_FILE: the whole must name a brand']);
  expect(read([{ id: 'a', logo: 'logo.png' }])).toMatchObject([{ logoFile: join(directory, 'logo.png') }]);
  expect(read([{ id: 'a', mailFrom: 'id@a.example' }])).toMatchObject([{ mailFrom: 'id@a.example' }]);
});

test('documents of a brand are complete in every language, or the start tells what is missing', () => {
  const terms = join(directory, 'terms.json');
  const document = { title: 'T', lead: 'L', sections: { who: { title: 'Who', body: ['Text', ['item']] } } };
  const texts = { en: document, 'zh-Hant': document, 'zh-Hans': document, ru: document };
  const edition = { version: '1', effectiveOn: '2026-12-01', texts };
  const problemsWith = (editions: unknown) => {
    writeFileSync(terms, JSON.stringify(editions));
    return problemsOf([{ id: 'a', legal: { terms: 'terms.json', privacy: 'privacy.json' } }]);
  };
  const privacyMissing = `BRANDS_FILE: privacy of "a" ${join(directory, 'privacy.json')} does not exist`;
  expect(problemsWith([edition])).toEqual([privacyMissing]);
  const of = (problem: string) => [`BRANDS_FILE: terms of "a" ${terms}: ${problem}`, privacyMissing];
  expect(problemsWith([{ ...edition, texts: { ...texts, ru: undefined } }])).toEqual(
    of('[0].texts.ru is missing'),
  );
  expect(problemsWith([edition, edition])).toEqual(of('the whole must not have a version twice'));
  expect(problemsWith([])).toEqual(of('the whole must have an edition'));
  const unsafe = { ...document, sections: { '"><script>': { title: 'x', body: [] } } };
  expect(problemsWith([{ ...edition, texts: { ...texts, en: unsafe } }])).toHaveLength(2);

  writeFileSync(terms, JSON.stringify([edition]));
  const [brand] = read([{ id: 'a', legal: { terms: 'terms.json', contact: 'law@a.example' } }]);
  expect(brand?.legal).toEqual({ contact: 'law@a.example', editions: { terms: [edition] } });
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
