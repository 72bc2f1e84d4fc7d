import { locales, matchLocale } from '@candela/contract';
import { expect, test } from 'vitest';

test.each([
  [['en'], 'en'],
  [['en-GB'], 'en'],
  [['RU-ru'], 'ru'],
  [['zh'], 'zh-Hans'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-SG'], 'zh-Hans'],
  [['zh-Hans-HK'], 'zh-Hans'],
  [['zh-Hant'], 'zh-Hant'],
  [['zh-Hant-CN'], 'zh-Hant'],
  [['zh-TW'], 'zh-Hant'],
  [['zh-HK'], 'zh-Hant'],
  [['zh-MO'], 'zh-Hant'],
  [['xx', 'de', 'zh-TW', 'en'], 'zh-Hant'],
  [['xx', 'de'], undefined],
  [['eng', 'enx', 'zha', 'run'], undefined],
  [['', 'en_GB', 'en GB', 'en;q=1', 'e', 'en-'], undefined],
  [[], undefined],
])('%j asks for %s', (tags, locale) => {
  expect(matchLocale(tags)).toBe(locale);
});

test.each(locales)('%s is asked for by its own tag, which is canonical', (locale) => {
  expect(matchLocale([locale])).toBe(locale);
  expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
});
