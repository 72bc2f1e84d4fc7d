import type { ErrorCode } from '@candela/contract';
import { type PasswordProfile, passwordLength, passwordRules } from '@candela/contract/rules/password';

/** Codes of the contract, and one of our own: to the server a letter of another script is a symbol. */
export type PasswordProblem = ErrorCode | 'password_not_latin';

/** What is wrong with a new password as far as a browser can tell; the server has the last word. */
export const checkPassword = (password: string, profile: PasswordProfile): PasswordProblem | undefined => {
  const { min, max, allowed } = passwordRules[profile];
  const length = passwordLength(password);
  if (length === 0) return 'password_blank';
  if (allowed && !allowed.test(password))
    return /[^\P{L}A-Za-z]/u.test(password) ? 'password_not_latin' : 'password_has_symbols';
  if (length < min) return 'password_too_short';
  return length > max ? 'password_too_long' : undefined;
};

/** A generated password has at least so many characters where the rule would take a few guessable ones. */
const GENERATED_LENGTH = 12;

/** The rule for password generators (the `passwordrules` attribute of Safari). */
export const generatorRule = (profile: PasswordProfile): string => {
  const { min, max, allowed } = passwordRules[profile];
  return allowed
    ? `minlength: ${GENERATED_LENGTH}; maxlength: ${max}; allowed: lower, upper, digit;`
    : `minlength: ${min}; maxlength: ${max};`;
};
