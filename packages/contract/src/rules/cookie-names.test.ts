import { expect, test } from 'vitest';
import { cookieNames } from './cookie-names.ts';

test('on https every name has a prefix that browsers enforce', () => {
  const { signIn, ...names } = cookieNames('https://id.example');
  for (const name of [...Object.values(names), signIn(0)]) expect(name).toMatch(/^__(?:Host|Secure)-/);
});

test('on http, where browsers refuse a prefix, no name has one', () => {
  const { signIn, ...names } = cookieNames('http://localhost:3000');
  for (const name of [...Object.values(names), signIn(0)]) expect(name).toMatch(/^_[a-z]/);
});
