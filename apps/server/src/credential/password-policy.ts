import { readFileSync } from 'node:fs';
import type { ErrorCode, PasswordProfile } from '@candela/contract';
import { AppError } from '../errors.ts';
import type { Identifier } from '../identifier/identifier.ts';

interface Rule {
  min: number;
  max: number;
  allowed?: RegExp;
}

const rules: Record<PasswordProfile, Rule> = {
  product: { min: 6, max: 128, allowed: /^[A-Za-z0-9]*$/ },
  modern: { min: 8, max: 128 },
  strict: { min: 15, max: 128 },
};

export interface PasswordPolicy {
  /**
   * For new passwords only: signing in never checks composition.
   * @throws AppError password_too_short, password_too_long, password_has_symbols, password_too_common
   */
  check(password: string, identifiers: readonly Pick<Identifier, 'kind' | 'value'>[]): void;
}

const readCommonPasswords = (): ReadonlySet<string> =>
  new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );

const simplify = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const withoutDigitsBehind = (text: string) => text.replace(/\d{0,4}$/, '');

/** What a stranger who knows the identifier tries first. */
const isOwnIdentifier = (password: string, { kind, value }: Pick<Identifier, 'kind' | 'value'>): boolean => {
  const text = simplify(password);
  if (kind === 'phone')
    return text.length >= 6 && (simplify(value).endsWith(text) || text.endsWith(simplify(value)));
  const local = simplify(value.slice(0, value.lastIndexOf('@')));
  return text === simplify(value) || text === local || (local !== '' && withoutDigitsBehind(text) === local);
};

const isOneCharacter = (password: string) => new Set(password).size === 1;

/** The rule of the profile, and whatever the profile: no common password, no brand's name, no identifier of one's own. */
export const createPasswordPolicy = ({
  profile,
  brandNames,
}: {
  profile: PasswordProfile;
  brandNames: readonly string[];
}): PasswordPolicy => {
  const rule = rules[profile];
  const common = readCommonPasswords();
  const brands = new Set(brandNames.map(simplify));

  const isCommon = (password: string): boolean => {
    const text = password.toLowerCase();
    const simple = simplify(password);
    return (
      isOneCharacter(text) ||
      common.has(text) ||
      common.has(simple) ||
      brands.has(simple) ||
      brands.has(withoutDigitsBehind(simple))
    );
  };

  const findFault = (typed: string, identifiers: readonly Pick<Identifier, 'kind' | 'value'>[]) => {
    const password = typed.normalize('NFC');
    const length = [...password].length;
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
