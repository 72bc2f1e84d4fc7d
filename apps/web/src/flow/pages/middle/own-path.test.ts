import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test('the page continues only to a path of the portal', () => {
  expect(ownPath('/sessions?x=1')).toBe('/sessions?x=1');
  for (const value of [
    null,
    '',
    'index',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil',
    'https://evil.example',
  ]) {
    expect(ownPath(value)).toBeUndefined();
  }
});

test('the page never leads to itself', () => {
  expect(ownPath('/middle?return_to=/middle')).toBeUndefined();
});
