import type { ErrorCode } from './errors.ts';

/** Codes of a phone number or an e-mail address. */
export const identifierErrors = [
  'identifier_blank',
  'identifier_invalid',
  'phone_invalid',
  'email_invalid',
] as const satisfies readonly ErrorCode[];
/** Codes of a verification code, and of the identifier that it was sent to. */
export const codeErrors = [
  ...identifierErrors,
  'code_blank',
  'code_incorrect',
  'code_expired',
  'code_exhausted',
] as const satisfies readonly ErrorCode[];
/** Codes of a new password. */
export const passwordErrors = [
  'password_blank',
  'password_too_short',
  'password_too_long',
  'password_has_symbols',
  'password_too_common',
] as const satisfies readonly ErrorCode[];
