import { expect, it } from 'vitest';
import { isPermitted, mayShip } from './licences.ts';

it.each([
  'MIT',
  '0BSD',
  'BSD-3-Clause',
  'Apache-2.0',
  '(MIT OR GPL-3.0-only)',
  'MIT AND (ISC OR GPL-2.0-only)',
])('permits %s', (expression) => {
  expect(isPermitted(expression)).toBe(true);
});

it.each([
  '',
  'UNLICENSED',
  'Unlicense',
  'CC0-1.0',
  'GPL-3.0-only',
  'AGPL-3.0-or-later',
  'LGPL-3.0-or-later',
  'MIT AND GPL-3.0-only',
  '(MIT OR',
  'MIT GPL-3.0-only',
  'SEE LICENSE IN LICENSE.md',
])('refuses %s', (expression) => {
  expect(isPermitted(expression)).toBe(false);
});

it('permits libvips, as it was decided, and nothing else of its licence', () => {
  expect(mayShip('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')).toBe(true);
  expect(mayShip('@img/sharp-libvips-linux-x64', 'GPL-3.0-or-later')).toBe(false);
  expect(mayShip('@img/sharp-linux-x64', 'LGPL-3.0-or-later')).toBe(false);
  expect(mayShip('sharp', 'Apache-2.0')).toBe(true);
});
