import { expect, test } from 'vitest';
import { foldCode } from './fold-code.ts';

test('a code may be pasted with spaces, dashes, words and full-width digits', () => {
  expect(foldCode('123 456')).toBe('123456');
  expect(foldCode('123-456')).toBe('123456');
  expect(foldCode('１２３４５６')).toBe('123456');
  expect(foldCode('Your code: 098765.')).toBe('098765');
});
