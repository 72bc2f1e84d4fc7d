import { expect, test } from 'vitest';
import { textsOf } from './catalogs.ts';
import { enMore } from './en/account.ts';
import { en } from './en/flow.ts';

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();
const english = textsOf('en');

// That no key is missing is the compiler's to say; what it cannot see is inside the texts.
test.each(['zh-Hans', 'zh-Hant', 'ru'] as const)(
  '%s has a text for each key, with the same placeholders',
  (locale) => {
    for (const [key, text] of Object.entries(textsOf(locale))) {
      expect(text.trim(), key).not.toBe('');
      expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ''));
    }
  },
);

test('the parts of a catalogue do not overlap', () => {
  expect(Object.keys(en).filter((key) => key in enMore)).toEqual([]);
});
