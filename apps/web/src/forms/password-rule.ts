import type { ErrorCode, PasswordProfile } from '@candela/contract';

const shortest: Record<PasswordProfile, number> = { product: 6, modern: 8, strict: 15 };
const longest = 128;

/** The fewest characters a password may have. */
export const shortestPassword = (profile: PasswordProfile): number => shortest[profile];

/** Codes of the contract, and one of our own: to the server a letter of another script is a symbol. */
export type PasswordProblem = ErrorCode | 'password_not_latin';

/** What is wrong with a new password as far as a browser can tell; the server has the last word. */
export const checkPassword = (password: string, profile: PasswordProfile): PasswordProblem | undefined => {
  const length = [...password.normalize('NFC')].length;
  if (length === 0) return 'password_blank';
  if (profile === 'product' && !/^[A-Za-z0-9]*$/.test(password))
    return /[^\P{L}A-Za-z]/u.test(password) ? 'password_not_latin' : 'password_has_symbols';
  if (length < shortest[profile]) return 'password_too_short';
  return length > longest ? 'password_too_long' : undefined;
};

/** The rule for password generators (the `passwordrules` attribute of Safari). */
export const generatorRule = (profile: PasswordProfile): string =>
  profile === 'product'
    ? 'minlength: 12; maxlength: 128; allowed: lower, upper, digit;'
    : `minlength: ${shortest[profile]}; maxlength: 128;`;
