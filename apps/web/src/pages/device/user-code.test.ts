import { expect, test } from 'vitest';
import { caretIn, isComplete, toUserCode } from './user-code.ts';

test('a code may be typed in small letters, with spaces or without its hyphen, or pasted from wide letters', () => {
  for (const typed of [
    'WDJB-MJHT',
    'wdjbmjht',
    ' wdjb mjht ',
    'W D J B–M J H T',
    'ｗｄｊｂｍｊｈｔ',
    'wdjb-mjht.',
  ]) {
    expect(toUserCode(typed)).toBe('WDJB-MJHT');
    expect(isComplete(toUserCode(typed))).toBe(true);
  }
});

test('the hyphen comes with the fifth letter and goes with it', () => {
  expect(toUserCode('wdjb')).toBe('WDJB');
  expect(toUserCode('wdjb-')).toBe('WDJB');
  expect(toUserCode('wdjbm')).toBe('WDJB-M');
  expect(isComplete(toUserCode('wdjbmjh'))).toBe(false);
});

test('the caret stays behind the letter that was typed', () => {
  expect(caretIn('WDxJB-MJHT', 3)).toBe(3);
  expect(caretIn('WDJBM', 5)).toBe(6);
  expect(caretIn('WDJBMJHT', 4)).toBe(4);
});
