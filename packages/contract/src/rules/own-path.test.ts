import { expect, test } from 'vitest';
import { isOwnPath } from './own-path.ts';

test.each(['/', '/index', '/sessions?x=1#y', '/имя'])('%j stays here', (path) => {
  expect(isOwnPath(path)).toBe(true);
});

test.each([
  '',
  'index',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  '/\t/evil',
  '/a\n',
  'https://evil.example',
])('%j leads elsewhere', (path) => {
  expect(isOwnPath(path)).toBe(false);
});
