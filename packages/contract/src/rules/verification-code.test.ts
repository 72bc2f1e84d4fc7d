import { expect, test } from 'vitest';
import { codeDigits, foldCode } from './verification-code.ts';

test('a code may be pasted with spaces, dashes, words and full-width digits', () => {
  expect(codeDigits('123 456')).toBe('123456');
  expect(codeDigits('123-456')).toBe('123456');
  expect(codeDigits('１２３４５６')).toBe('123456');
  expect(codeDigits('Your code: 098765.')).toBe('098765');
});

test('a code is folded, and letters make it another code', () => {
  for (const typed of [' 123 456', '123–456', '１２３４５６', '123\u200b456'])
    expect(foldCode(typed)).toBe('123456');
  expect(foldCode('a123456')).toBe('a123456');
});
