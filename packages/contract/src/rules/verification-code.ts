/** A verification code has so many digits. */
export const CODE_LENGTH = 6;

/** A code as it was typed, without spaces, dashes and invisible characters, and with ASCII digits. */
export const foldCode = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');

/** The digits of a text that holds a code, such as a pasted message: as many as a code has. */
export const codeDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, CODE_LENGTH);
