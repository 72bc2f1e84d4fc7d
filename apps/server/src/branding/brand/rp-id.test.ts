import { expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { builtInBrands } from './built-in.ts';
import { placeBrands } from './place-brands.ts';
import { isRpIdOf } from './rp-id.ts';

const [template] = builtInBrands;

test.each([
  ['id.example.com', 'id.example.com', true],
  ['example.com', 'id.example.com', true],
  ['example.com', 'example.com', true],
  ['localhost', 'localhost', true],
  ['com', 'id.example.com', false],
  ['localhost', 'id.localhost', false],
  ['ample.com', 'id.example.com', false],
  ['other.example', 'id.example.com', false],
  ['id.example.com', 'example.com', false],
  ['0.0.1', '127.0.0.1', false],
])('the relying party id %s belongs to the host %s: %s', (rpId, host, belongs) => {
  expect(isRpIdOf(rpId, host)).toBe(belongs);
});

/** The relying party ids of brands that are placed, or what is wrong with them. */
const placed = (...brands: { id: string; origin?: string; rpId?: string }[]): unknown => {
  try {
    const all = brands.map((brand) => ({ ...template, ...brand }));
    return placeBrands(all, 'https://id.example.com').map(({ rpId }) => rpId);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('PK16: a brand has the host of its origin as its relying party id, or names a suffix of it', () => {
  expect(placed({ id: 'a' })).toEqual(['id.example.com']);
  expect(placed({ id: 'a', rpId: 'example.com' })).toEqual(['example.com']);
});

test('PK16: a brand at another domain shares the relying party id of a brand that has it', () => {
  const other = { id: 'b', origin: 'https://id.other.example', rpId: 'example.com' };
  expect(placed({ id: 'a', rpId: 'example.com' }, other)).toEqual(['example.com', 'example.com']);
  expect(placed({ id: 'a' }, other)).toEqual([
    'BRANDS_FILE: the rpId example.com of "b" is neither the host of https://id.other.example nor a suffix of it with a dot, nor that of another brand',
  ]);
});
