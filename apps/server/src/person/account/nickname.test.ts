import { expect, test } from 'vitest';
import { parseNickname } from './nickname.ts';

test.each([
  ['Ada', 'Ada'],
  ['  Ада Лавлейс ', 'Ада Лавлейс'],
  ['點燈人', '點燈人'],
  ['re\u0301sume\u0301', 'r\u00e9sum\u00e9'],
  ['👩\u200d💻 ☀\ufe0f 👍🏽', '👩\u200d💻 ☀\ufe0f 👍🏽'],
  [
    '🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 🏃🏽\u200d♂\ufe0f 👁\ufe0f\u200d🗨\ufe0f',
    '🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 🏃🏽\u200d♂\ufe0f 👁\ufe0f\u200d🗨\ufe0f',
  ],
  ['1\ufe0f\u20e3 🇹🇼', '1\ufe0f\u20e3 🇹🇼'],
  ['علي 42', 'علي 42'],
  ['김철수', '김철수'],
  ['សុខា', 'សុខា'],
  ['李 小龍', '李 小龍'],
  ['-', '-'],
  // Spaces of other scripts and widths become plain spaces.
  ['李\u3000小龍', '李 小龍'],
  ['a\u00a0b\u1680c\u2003d', 'a b c d'],
  ['\u3000Ada\u1680', 'Ada'],
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
  '\u0301',
  'a\u200d',
  '👩\u200d',
  '👩\u200dx',
  '1\ufe0f',
  '❤\ufe0f\ufe0f',
])('%j is none', (typed) => {
  expect(parseNickname(typed)).toBeUndefined();
});

test.each([
  ['Vietnamese', 'Nguyễn Thị Hồng Hạnh'],
  ['Thai', 'กิ่งกาญจน์ น้ำผึ้ง'],
  ['Lao', 'ບຸນມີ ຈັນທະວົງ'],
  ['Khmer', 'ស្រីនាង ញ៉ាំ'],
  ['Burmese', 'ကြွေ လျှော့ မြွှော့'],
  ['Tibetan', 'བསྒྲུབས་རྒྱུ'],
  ['Hindi', 'श्रीमती ज्ञानेश्वरी'],
  ['Bengali', 'কৃষ্ণেন্দু'],
  ['Tamil', 'மீனாட்சி'],
  ['Malayalam', 'കാർത്ത്യായനി'],
  ['Sinhala', 'සුනිල් කුමාර'],
  ['Arabic', 'مُحَمَّدٌ'],
  ['Hebrew', 'שָׁלוֹם בְּרֵאשִׁ֖ית'],
  ['Ethiopic', 'አበበ'],
  ['Yoruba', 'Ọláòlúwa Ṣọ̀'],
  ['Georgian', 'ნინო'],
  ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ'],
  ['Japanese', 'さくらが゙'],
  ['emoji with joiners', '👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f\u200d🔥'],
])('PL5: a name in %s is stored in one form, however its marks are typed', (_name, typed) => {
  expect(parseNickname(typed)).toBe(typed.normalize('NFC'));
  expect(parseNickname(typed.normalize('NFD'))).toBe(typed.normalize('NFC'));
});

test('PL5: combining marks cannot pile up on a character, even in a short name', () => {
  expect(parseNickname(`x${'\u0315'.repeat(6)}`)).toBeDefined();
  for (const count of [7, 39]) expect(parseNickname(`x${'\u0315'.repeat(count)}`)).toBeUndefined();
});

const unseen = [
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x200b, 0x200c, 0x200e, 0x2028, 0x202e,
  0x2061, 0x2064, 0x2066, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xfffc, 0x1d173,
  0x13430, 0x13441, 0x13442, 0x13443, 0x1345f, 0x16fe4, 0x1d159, 0x1da7f, 0x1da80, 0xe0001, 0xe0041, 0xe007f,
  0xe0100,
];

test.each(unseen.map((point) => [point.toString(16), String.fromCodePoint(point)] as const))(
  'PL5: U+%s, which leaves no mark, makes no nickname and hides in none',
  (_name, character) => {
    expect([character, `a${character}b`, `${character}點${character}燈`].map(parseNickname)).toEqual(
      Array(3).fill(undefined),
    );
  },
);
