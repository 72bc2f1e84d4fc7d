import { expect, test } from 'vitest';
import { en } from './en.ts';
import { enMore } from './en-more.ts';
import { ru } from './ru.ts';
import { ruMore } from './ru-more.ts';
import { zhHans } from './zh-hans.ts';
import { zhHansMore } from './zh-hans-more.ts';
import { zhHant } from './zh-hant.ts';
import { zhHantMore } from './zh-hant-more.ts';

type Texts = { [key: string]: string | Texts };

const flatten = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flatten(value, `${path}${key}.`),
  );

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();
const english = new Map(flatten({ ...en, ...enMore }));

// That no key is missing is the compiler's to say; what it cannot see is inside the texts.
test.each([
  ['zh-Hans', { ...zhHans, ...zhHansMore }],
  ['zh-Hant', { ...zhHant, ...zhHantMore }],
  ['ru', { ...ru, ...ruMore }],
])('%s has a text for each key, with the same placeholders', (_, catalog) => {
  for (const [key, text] of flatten(catalog)) {
    expect(text.trim(), key).not.toBe('');
    expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ''));
  }
});

test('the parts of a catalogue do not overlap', () => {
  expect(Object.keys(en).filter((key) => key in enMore)).toEqual([]);
});
