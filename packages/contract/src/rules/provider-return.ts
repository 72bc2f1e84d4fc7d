/**
 * How a way through an identity provider can end without a sign-in. The page of the interaction, or of the account, has
 * the code in its query, beside the id of the provider: `?interaction=…&provider=google&reason=provider_refused`.
 */
export const providerReasons = [
  /** Nobody signed in there: the person or the provider declined. */
  'provider_refused',
  /** The provider does not answer, or answers nonsense. */
  'provider_unavailable',
  /** The answer does not hold what it must: nobody is signed in by it. */
  'provider_failed',
  /** The app or the person asked for a new sign-in there, and it answered by an old one. */
  'provider_stale',
  /** The answer came too late, or a second time. */
  'provider_expired',
  /** Of a link: the account at the provider opens another account here. */
  'provider_taken',
  /** Of a link: the account has a way through this provider already. */
  'provider_exists',
  'account_disabled',
  'factor_missing',
  'bound_passkey_missing',
  'code_required',
  'not_signed_in',
  'rate_limited',
  'busy',
  'unavailable',
] as const;
export type ProviderReason = (typeof providerReasons)[number];

/** Value of `reason` on the account's page after a provider was linked. */
export const PROVIDER_LINKED = 'linked';
