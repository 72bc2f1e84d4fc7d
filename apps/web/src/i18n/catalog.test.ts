import { locales } from '@candela/contract/languages';
import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { catalogs } from './catalogs.ts';
import { account } from './en/account.ts';
import { developers } from './en/developers.ts';
import { flow } from './en/flow.ts';

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();
const english = catalogs.en;

const plural = /_(?:zero|one|two|few|many|other)$/;
const basesOf = (texts: object) => [...new Set(Object.keys(texts).map((key) => key.replace(plural, '')))];

// The compiler finds a missing key. It does not check the placeholders within a text.
test.each(locales)('%s has a text for each key, with the same placeholders', (locale) => {
  expect(basesOf(catalogs[locale])).toEqual(basesOf(english));
  for (const [key, text] of Object.entries(catalogs[locale])) {
    expect(text.trim(), key).not.toBe('');
    const original = english[key] ?? english[key.replace(plural, '_other')] ?? '';
    expect(placeholders(text), key).toEqual(placeholders(original));
  }
});

test.each(locales)('%s has the plural forms of its language for each text with a count', (locale) => {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
  const found = Object.groupBy(
    Object.keys(catalogs[locale]).filter((key) => plural.test(key)),
    (key) => key.replace(plural, ''),
  );
  expect(Object.keys(found)).not.toEqual([]);
  for (const [base, keys] of Object.entries(found))
    expect(keys?.toSorted(), base).toEqual(forms.map((form) => `${base}_${form}`));
});

const keysOf = (texts: object, path = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [path + key] : keysOf(value, `${path}${key}.`),
  );

test('the groups of texts do not overlap', () => {
  const keys = [flow, account, developers].flatMap((group) => keysOf(group));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
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
