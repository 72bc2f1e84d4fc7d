import { expect, test } from 'vitest';
import { maskForSms, maskIdentifier } from './mask-identifier.ts';

test.each([
  ['+8613800138000', '+86 138 •••• 8000'],
  ['+79161230483', '+7 91 •••• 0483'],
  ['+14155552671', '+1 41 •••• 2671'],
  ['+886912345678', '+886 9 •••• 5678'],
  ['+85223456789', '+852 23 •••• 89'],
  ['+2474123', '+247 •••• 23'],
  ['lena@example.com', 'l•••@example.com'],
  ['l@example.com', '•••@example.com'],
  ['😀na@example.com', '😀•••@example.com'],
])('%s is shown as %s', (identifier, masked) => {
  expect(maskIdentifier(identifier)).toBe(masked);
});

test('in an SMS the mask has only characters of GSM 03.38', () => {
  expect(maskForSms('+8613800138000')).toBe('+86 138 **** 8000');
  expect(maskForSms('lena@example.com')).toBe('l***@example.com');
});
