import { expect, test } from 'vitest';
import { checkPassword, generatorRule } from './password-rule.ts';

test('the product’s rule takes letters and digits only, at least six', () => {
  expect(checkPassword('', 'product')).toBe('password_blank');
  expect(checkPassword('abc12', 'product')).toBe('password_too_short');
  expect(checkPassword('abc-123', 'product')).toBe('password_has_symbols');
  expect(checkPassword('abc１２３', 'product')).toBe('password_has_symbols');
  expect(checkPassword('abc123', 'product')).toBeUndefined();
});

test.each(['灯光灯光灯光', 'лампа7', 'lumière7'])(
  'letters of other scripts are not called symbols: %s',
  (password) => {
    expect(checkPassword(password, 'product')).toBe('password_not_latin');
  },
);

test('the modern rule counts characters as people do', () => {
  expect(checkPassword('💡💡💡💡', 'modern')).toBe('password_too_short');
  expect(checkPassword('лампа на столе', 'modern')).toBeUndefined();
  expect(checkPassword('a'.repeat(129), 'modern')).toBe('password_too_long');
});

test('password generators get the rule', () => {
  expect(generatorRule('product')).toContain('allowed: lower, upper, digit;');
  expect(generatorRule('strict')).toContain('minlength: 15;');
});
