import { expect, test } from 'vitest';
import { foldRecoveryCode, RECOVERY_CODE_ALPHABET, showRecoveryCode } from './recovery-code.ts';

test.each([
  ['as it is shown', 'A0B1C-2D3E4'],
  ['without the dash', 'A0B1C2D3E4'],
  ['in small letters', 'a0b1c-2d3e4'],
  ['with spaces around and inside', '  A0B1C 2D3E4 '],
  ['with a dash of another kind', 'A0B1C–2D3E4'],
  ['with O for 0', 'AOBIC-2D3E4'],
  ['with small o and l', 'aoblc-2d3e4'],
  ['with letters of full width', 'Ａ０Ｂ１Ｃ－２Ｄ３Ｅ４'],
  ['with an invisible character', 'A0B1C\u200b2D3E4'],
])('a recovery code is the same %s', (_, typed) => {
  expect(foldRecoveryCode(typed)).toBe('A0B1C2D3E4');
});

test('every code is shown in two groups, and folds to itself', () => {
  expect(showRecoveryCode('A0B1C2D3E4')).toBe('A0B1C-2D3E4');
  expect(foldRecoveryCode(RECOVERY_CODE_ALPHABET)).toBe(RECOVERY_CODE_ALPHABET);
});
