import { expect, test } from 'vitest';
import { maskContact } from './mask-contact.ts';

test.each([
  ['lena@example.com', 'l•••@example.com'],
  ['l@example.com', '•••@example.com'],
  ['😀na@example.com', '😀•••@example.com'],
  ['+8613800138000', '+86 138 •••• 8000'],
])('%s is shown as %s', (contact, masked) => {
  expect(maskContact(contact)).toBe(masked);
});
