import { type PasswordProfile, passwordLength, passwordRules } from '@candela/contract/rules/password';
import type { PasswordProblem } from '../../shell/forms/form-errors.ts';

/** The first problem of a new password that a browser can find. The server decides. */
export const checkPassword = (password: string, profile: PasswordProfile): PasswordProblem | undefined => {
  const { min, max, allowed } = passwordRules[profile];
  const length = passwordLength(password);
  if (length === 0) return 'password_blank';
  if (allowed && !allowed.test(password))
    return /[^\P{L}A-Za-z]/u.test(password) ? 'password_not_latin' : 'password_has_symbols';
  if (length < min) return 'password_too_short';
  return length > max ? 'password_too_long' : undefined;
};

/** The minimum length of a generated password under a rule that allows shorter passwords. */
const GENERATED_LENGTH = 12;

/** The rule for password generators (the `passwordrules` attribute of Safari). */
export const generatorRule = (profile: PasswordProfile): string => {
  const { min, max, allowed } = passwordRules[profile];
  return allowed
    ? `minlength: ${GENERATED_LENGTH}; maxlength: ${max}; allowed: lower, upper, digit;`
    : `minlength: ${min}; maxlength: ${max};`;
};
