import { expect, test } from 'vitest';
import { passwordLength, passwordRules } from './password.ts';

test('a password has as many characters as people see in it', () => {
  expect(passwordLength('💡💡')).toBe(2);
  expect(passwordLength('e\u0301')).toBe(1);
});

test('each profile asks for more than the one before it', () => {
  const { product, modern, strict } = passwordRules;
  expect([product.min, modern.min, strict.min]).toEqual([6, 8, 15]);
  expect(product.allowed?.test('abc123')).toBe(true);
  for (const password of ['abc-12', 'лампа7', 'abc１']) expect(product.allowed?.test(password)).toBe(false);
});
