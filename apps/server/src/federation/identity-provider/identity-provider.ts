import type { Locale, ProviderKindName } from '@candela/contract';

/** An identity provider that people may sign in with, as an entry of PROVIDERS_FILE names it. */
export interface IdentityProvider {
  /** Unique at a brand; it stands in the redirect URI: `<issuer>/sign-in/<id>/callback`. */
  id: string;
  kind: ProviderKindName;
  /** The brand that it belongs to; undefined: all of them. */
  brand: string | undefined;
  /** The issuer of the kind `oidc`. */
  issuer: string | undefined;
  clientId: string;
  clientSecret: string | undefined;
  /** A key in PEM (PKCS #8), of which client secrets are made or which signs client assertions. */
  privateKey: string | undefined;
  keyId: string | undefined;
  teamId: string | undefined;
  /** What people call it; undefined: as its kind says. */
  name: string | undefined;
  /** What is asked for; undefined: what its kind asks for. */
  scopes: readonly string[] | undefined;
  /** Of these it stands first; undefined: as its kind says. */
  languages: readonly Locale[] | undefined;
  /** What names a person at WeChat. */
  subject: 'unionid' | 'openid' | undefined;
  /** Domains of e-mail addresses that an issuer of the kind `oidc` is the authority for, where it calls them verified. */
  emailDomains: readonly string[] | undefined;
}

/** The fields that some kinds take and others do not. */
export type ProviderField =
  | 'issuer'
  | 'clientSecret'
  | 'privateKey'
  | 'keyId'
  | 'teamId'
  | 'subject'
  | 'emailDomains';
