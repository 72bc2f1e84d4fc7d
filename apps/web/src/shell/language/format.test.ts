import { expect, test } from 'vitest';
import { formatDistance, formatMoment, formatNames, formatRelative, languageName } from './format.ts';
import { chosenLocale, localeCookie } from './locale-choice.ts';

const locales = ['en', 'zh-Hant', 'zh-Hans', 'ru'] as const;

test('a distance has its largest unit', () => {
  expect(formatDistance(42, 'en')).toBe('in 42 seconds');
  expect(formatDistance(300, 'ru')).toBe('через 5 минут');
  expect(formatDistance(-86_400, 'en')).toBe('yesterday');
});

test('less than a minute ago is now', () => {
  const now = new Date('2026-01-01T00:00:30Z');
  expect(formatRelative(new Date('2026-01-01T00:00:00Z'), now, 'en')).toBe('now');
});

test('a time is exact to the minute, by the clock of the language, and breaks after its date only', () => {
  const at = new Date('2026-11-22T20:05:00');
  const told = locales.map((locale) => [locale, formatMoment(at, locale, { zone: false })]);
  expect(Object.fromEntries(told)).toEqual({
    en: 'Nov\u00a022,\u00a02026, 8:05\u00a0PM',
    ru: '22\u00a0нояб.\u00a02026\u00a0г., 20:05',
    'zh-Hans': '2026年11月22日 20:05',
    'zh-Hant': '2026年11月22日 20:05',
  });
  for (const locale of locales)
    expect(formatMoment(at, locale, { zone: true })).toMatch(/:05(?:\u00a0PM)?\u00a0\S+$/);
});

test('names are separated in every language, and an ellipsis stands for further names', () => {
  const names = ['Home Hub', 'Lamp Studio', '灯光助手'];
  const told = (most: number) => locales.map((locale) => [locale, formatNames(names, most, locale)]);
  expect(Object.fromEntries(told(3))).toEqual({
    en: 'Home Hub, Lamp Studio, and 灯光助手',
    ru: 'Home Hub, Lamp Studio и 灯光助手',
    'zh-Hans': 'Home Hub、Lamp Studio和灯光助手',
    'zh-Hant': 'Home Hub、Lamp Studio和灯光助手',
  });
  expect(Object.fromEntries(told(2))).toEqual({
    en: 'Home Hub, Lamp Studio…',
    ru: 'Home Hub, Lamp Studio…',
    'zh-Hans': 'Home Hub、Lamp Studio…',
    'zh-Hant': 'Home Hub、Lamp Studio…',
  });
});

test('a language has its name in the reader’s language, a broken tag stays as it is', () => {
  expect(languageName('ru', 'en')).toBe('Russian');
  expect(languageName('en', 'ru')).toBe('Английский');
  expect(languageName('not a tag', 'en')).toBe('not a tag');
});

test('the chosen language is found among cookies', () => {
  expect(chosenLocale('a=b; locale=zh-Hant; c=d')).toBe('zh-Hant');
  expect(chosenLocale('locale=xx')).toBeUndefined();
  expect(chosenLocale('mylocale=ru')).toBeUndefined();
  expect(localeCookie('ru')).toBe('locale=ru; Path=/; Max-Age=31536000; SameSite=Lax');
});
