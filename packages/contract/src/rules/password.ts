/** `product` is the default; the server's PASSWORD_PROFILE chooses another. */
export type PasswordProfile = 'product' | 'modern' | 'strict';

/** The rule for a new password. The server also refuses common passwords. */
export interface PasswordRule {
  /** In characters, as `passwordLength` counts them. */
  min: number;
  max: number;
  /** Matches a whole valid password; absent: all characters are allowed. */
  allowed?: RegExp;
}

export const passwordRules: Readonly<Record<PasswordProfile, PasswordRule>> = {
  product: { min: 6, max: 128, allowed: /^[A-Za-z0-9]*$/ },
  modern: { min: 8, max: 128 },
  strict: { min: 15, max: 128 },
};

/** The length of a password in code points of its NFC form: an accent typed apart counts once, an emoji too. */
export const passwordLength = (password: string): number => [...password.normalize('NFC')].length;
