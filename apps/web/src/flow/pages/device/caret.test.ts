import { expect, test } from 'vitest';
import { caretIn } from './caret.ts';

test('the caret stays behind the letter that was typed', () => {
  expect(caretIn('WDxJB-MJHT', 3)).toBe(3);
  expect(caretIn('WDJBM', 5)).toBe(6);
  expect(caretIn('WDJBMJHT', 4)).toBe(4);
});
