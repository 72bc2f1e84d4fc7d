import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

test.each([
  ['https://a.example/cb', 'https://a.example/callback', ['https://a.example/c', 'b', '']],
  ['https://a.example/callback/', 'https://a.example/callback', ['https://a.example/callback', '/', '']],
  ['http://a.example/', 'https://a.example/', ['http', '', '://a.example/']],
  ['https://a.example/', 'http://a.example/', ['http', 's', '://a.example/']],
  ['same', 'same', ['same', '', '']],
  ['', 'x', ['', '', '']],
])('%s differs from %s in its middle', (text, other, [before, differs, after]) => {
  expect(differenceOf(text, other)).toEqual({ before, differs, after });
});
