import { expect, test } from 'vitest';
import { parseNickname } from './nickname.ts';

test.each([
  ['Ada', 'Ada'],
  ['  Ада Лавлейс ', 'Ада Лавлейс'],
  ['點燈人', '點燈人'],
  ['re\u0301sume\u0301', 'r\u00e9sum\u00e9'],
  ['👩\u200d💻 ☀\ufe0f 👍🏽', '👩\u200d💻 ☀\ufe0f 👍🏽'],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['👩\u200d💻'.repeat(40), '👩\u200d💻'.repeat(40)],
  ['👨\u200d👩\u200d👧\u200d👦'.repeat(40), '👨\u200d👩\u200d👧\u200d👦'.repeat(40)],
])('%j is a nickname', (typed, nickname) => {
  expect(parseNickname(typed)).toBe(nickname);
});

test.each([
  '',
  '   ',
  'x'.repeat(41),
  'a\u202eb',
  'a\u2066b',
  'a\u200bb',
  'a\u200db',
  'a\ufe0fb',
  'a\u00adb',
  'a\u0000b',
  'a\nb',
  'a\u2028b',
  '\ud800',
  `a${'\u0301'.repeat(300)}`,
])('%j is none', (typed) => {
  expect(parseNickname(typed)).toBeUndefined();
});
