/** The number of digits in a verification code. */
export const CODE_LENGTH = 6;

/** Removes spaces, dashes and invisible characters from a typed code, and makes its digits ASCII. */
export const foldCode = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');

/** The digits of a text with a code, such as a pasted message: at most as many as a code has. */
export const codeDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, CODE_LENGTH);
