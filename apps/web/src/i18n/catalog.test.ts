import { locales } from '@candela/contract/languages';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { catalogs } from './catalogs.ts';
import { account } from './en/account.ts';
import { flow } from './en/flow.ts';

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();
const english = catalogs.en;

// The compiler finds a missing key. It does not check the placeholders within a text.
test.each(locales)('%s has a text for each key, with the same placeholders', (locale) => {
  expect(Object.keys(catalogs[locale])).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(catalogs[locale])) {
    expect(text.trim(), key).not.toBe('');
    expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ''));
  }
});

const keysOf = (texts: object, path = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [path + key] : keysOf(value, `${path}${key}.`),
  );

test('the groups of texts do not overlap', () => {
  const inFlow = new Set(keysOf(flow));
  expect(keysOf(account).filter((key) => inFlow.has(key))).toEqual([]);
});

test('a text of the account pages does not compile on the screens of a sign-in', () => {
  const said: string[] = [];
  const say = (t: TFunction, all: TFunction<'account'>) => {
    said.push(t('login.title'), all('login.title'), all('personal.title'));
    // @ts-expect-error the key is in another group
    said.push(t('personal.title'));
  };
  const key = (name: string) => name;
  say(key as TFunction, key as TFunction<'account'>);
  expect(said).toHaveLength(4);
});
