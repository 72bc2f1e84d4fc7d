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
/** Codes of a passkey that is used. */
export const passkeyErrors = [
  'passkey_rejected',
  'challenge_expired',
] as const satisfies readonly ErrorCode[];
/** Codes of a second factor. */
export const secondFactorErrors = [
  'second_factor_required',
  'code_blank',
  'totp_incorrect',
  'recovery_code_incorrect',
] as const satisfies readonly ErrorCode[];
/** Codes of a new password. */
export const passwordErrors = [
  'password_blank',
  'password_too_short',
  'password_too_long',
  'password_has_symbols',
  'password_too_common',
] as const satisfies readonly ErrorCode[];
/** Codes of every endpoint for developers. */
export const developerErrors = [
  'not_signed_in',
  'not_a_developer',
  /** The brand asks a stronger sign-in of developers. */
  'second_factor_required',
] as const satisfies readonly ErrorCode[];
/** Codes of the metadata of a client. */
export const metadataErrors = [
  'client_invalid',
  'preset_unknown',
  'preset_forbids',
  'client_name_blank',
  'client_name_too_long',
  'client_name_confusing',
  'uri_invalid',
  'uri_not_https',
  'uri_scheme_refused',
  'uri_has_fragment',
  'uri_has_wildcard',
  'uri_has_credentials',
  'uri_not_of_platform',
  'uri_host_refused',
  'uri_too_long',
  'uris_missing',
  'too_many_values',
  'scope_unknown',
  'scope_reason_invalid',
  'auth_method_invalid',
  'keys_missing',
  'keys_invalid',
  'lifetime_invalid',
  'brand_unknown',
  'value_invalid',
  'field_reserved',
] as const satisfies readonly ErrorCode[];
