import { expect, test } from 'vitest';
import { formatUserCode, isWholeUserCode, readUserCode, USER_CODE_MASK } from './user-code.ts';

test('a code may be typed in small letters, with spaces or without its hyphen, or pasted from wide letters', () => {
  for (const typed of [
    'WDJB-MJHT',
    'wdjbmjht',
    ' wdjb mjht ',
    'W D J B–M J H T',
    'ｗｄｊｂｍｊｈｔ',
    'wdjb-mjht.',
  ]) {
    expect(readUserCode(typed)).toBe('WDJB-MJHT');
    expect(isWholeUserCode(readUserCode(typed))).toBe(true);
  }
});

test('the hyphen comes with the fifth letter and goes with it', () => {
  expect(readUserCode('wdjb')).toBe('WDJB');
  expect(readUserCode('wdjb-')).toBe('WDJB');
  expect(readUserCode('wdjbm')).toBe('WDJB-M');
  expect(isWholeUserCode(readUserCode('wdjbmjh'))).toBe(false);
});

test('a code that was issued is shown as people type it', () => {
  expect(formatUserCode('WDJBMJHT')).toBe('WDJB-MJHT');
  expect(USER_CODE_MASK).toBe('****-****');
});
