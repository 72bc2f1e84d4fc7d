import { readFileSync } from 'node:fs';
import type { ErrorCode } from '@candela/contract';
import { type PasswordProfile, passwordLength, passwordRules } from '@candela/contract/rules/password';
import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { createPatternCheck } from './password-patterns.ts';

export interface PasswordPolicy {
  /**
   * For new passwords only: signing in never checks composition.
   * @throws AppError password_too_short, password_too_long, password_has_symbols, password_too_common
   */
  check(password: string, identifiers: readonly Pick<Identifier, 'kind' | 'value'>[]): void;
}

const readLines = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');

const simplify = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const withoutDigitsBehind = (text: string) => text.replace(/\d{0,4}$/, '');

/** So many digits in the order of the identifier are taken from it. */
const OWN_DIGITS = 6;
/** Characters around the name before the @ that do not hide it. */
const AROUND = 4;

const holdsDigitsOf = (text: string, digits: string): boolean =>
  Array.from({ length: Math.max(0, digits.length - OWN_DIGITS + 1) }, (_, at) =>
    digits.slice(at, at + OWN_DIGITS),
  ).some((part) => text.includes(part));

/** What a stranger who knows the identifier tries first. */
const isOwnIdentifier = (password: string, { kind, value }: Pick<Identifier, 'kind' | 'value'>): boolean => {
  const text = simplify(password);
  if (kind === 'phone') return holdsDigitsOf(text, simplify(value));
  const at = value.lastIndexOf('@');
  // The name of the company, or of the service: all of the domain but its end.
  const names = value
    .slice(at + 1)
    .split('.')
    .slice(0, -1)
    .map(simplify);
  if ([text, withoutDigitsBehind(text)].some((word) => names.includes(word))) return true;
  const local = simplify(value.slice(0, at));
  if (text === simplify(value) || text === local) return true;
  if (local !== '' && withoutDigitsBehind(text) === local) return true;
  const isInside = local.length >= OWN_DIGITS && text.includes(local);
  return (
    (isInside && text.length - local.length <= AROUND) ||
    (local.match(/\d+/g) ?? []).some((digits) => holdsDigitsOf(text, digits))
  );
};

/** Of fewer letters and digits, the rest of the password is what makes it. */
const PATTERN_LENGTH = 6;

/**
 * The rule of the profile. Every profile refuses common passwords and kinds of passwords, names of brands, and the
 * person's own identifiers.
 */
export const createPasswordPolicy = ({
  profile,
  brandNames,
}: {
  profile: PasswordProfile;
  brandNames: readonly string[];
}): PasswordPolicy => {
  const rule = passwordRules[profile];
  const common: ReadonlySet<string> = new Set(readLines('./common-passwords.txt'));
  const brands = new Set(brandNames.map(simplify));
  const followsPattern = createPatternCheck({
    words: [...readLines('./common-words.txt'), ...[...brands].filter((name) => /^[a-z]+$/.test(name))],
    common,
  });

  const isCommon = (password: string): boolean => {
    const text = password.toLowerCase();
    const simple = simplify(password);
    return (
      new Set(text).size === 1 ||
      common.has(text) ||
      common.has(simple) ||
      brands.has(simple) ||
      brands.has(withoutDigitsBehind(simple)) ||
      (simple.length >= PATTERN_LENGTH && followsPattern(simple))
    );
  };

  const findFault = (typed: string, identifiers: readonly Pick<Identifier, 'kind' | 'value'>[]) => {
    const password = typed.normalize('NFC');
    const length = passwordLength(password);
    if (length < rule.min) return 'password_too_short';
    if (length > rule.max) return 'password_too_long';
    if (rule.allowed && !rule.allowed.test(password)) return 'password_has_symbols';
    const tooCommon = isCommon(password) || identifiers.some((own) => isOwnIdentifier(password, own));
    return tooCommon ? 'password_too_common' : undefined;
  };

  return {
    check: (password, identifiers) => {
      const code: ErrorCode | undefined = findFault(password, identifiers);
      if (code) throw new AppError(code, { fields: { password: code } });
    },
  };
};
