import type { KoaContextWithOIDC } from 'oidc-provider';
import { readWords } from '../../../branding/scope/space-separated.ts';
import {
  ACCESS_TOKEN_SECONDS,
  GOOGLE_JWKS_URI,
  type PolicyMetadata,
  policyMetadataNames,
  REFRESH_TOKEN_SECONDS,
  type RefreshMode,
} from '../../../clients/client/policy-metadata.ts';

/** A client as the engine has it. The metadata that only this server knows keep their names there. */
export type EngineClient = NonNullable<KoaContextWithOIDC['oidc']['client']>;

/** What a client's registration settles beyond RFC 7591. Lifetimes are in seconds. */
export interface ClientPolicy {
  /**
   * What an authorization request has to bind its code by: a PKCE challenge (RFC 7636; S256 where it is used at all),
   * that or an OpenID Connect `nonce`, or nothing.
   */
  codeBinding: 'challenge' | 'challenge-or-nonce' | 'none';
  accessTokenSeconds: number;
  /** How long a refresh token lasts from its issue; each successor begins anew. */
  refreshSeconds: number;
  /** How long all refresh tokens of one code last together; undefined: as long as they are used. */
  refreshFamilySeconds: number | undefined;
  refreshMode: RefreshMode;
  /** Whether `invalid_grant` is answered alone, without a description. */
  bareInvalidGrant: boolean;
  /** `spec`: id_tokens leave the claims of scopes to userinfo. */
  idTokenClaims: 'spec' | undefined;
  /** The preset of its registration; undefined: it has none. */
  platform: string | undefined;
  /** Whether the brand's own app may approve the client for a person. */
  takesNativeApproval: boolean;
  /** Ids of the clients at Google whose ID tokens are taken (streamlined linking); none: it is off. */
  googleClientIds: readonly string[];
  createsGoogleAccounts: boolean;
  /** Where the keys of those ID tokens are. */
  googleKeysUri: string;
  /** Held to the FAPI 2.0 Security Profile. */
  fapi: boolean;
  /** Whether the client links homes to a platform, which may send any `scope`. */
  linksHomes: boolean;
  /** Names of the parameters that its redirect URIs have beyond the registered ones. */
  redirectUriParameters: readonly string[];
  /** Whether revoking an access token ends the link, as revoking a refresh token does (decision 003). */
  revocationEndsLink: boolean;
  /** Whether codes and device codes are exchanged for a refresh token too, whatever the scope (decision 004). */
  issuesRefreshToken: boolean;
}

const codeBindingOf = (client: EngineClient | undefined, requirePkce: boolean | undefined) => {
  if (requirePkce || !client || client.clientAuthMethod === 'none') return 'challenge';
  if (requirePkce === false) return 'none';
  // RFC 8252 section 8.5: others know a secret that is shipped with an app, and a nonce does not prove who redeems.
  return client.applicationType === 'native' ? 'challenge' : 'challenge-or-nonce';
};

/** The policy of a client; without a client, the policy of one that is registered with nothing of its own. */
export const policyOf = (client: EngineClient | undefined): ClientPolicy => {
  const metadata = (client ?? {}) as PolicyMetadata & { preset?: string };
  return {
    codeBinding: codeBindingOf(client, metadata.require_pkce),
    accessTokenSeconds: metadata.access_token_ttl ?? ACCESS_TOKEN_SECONDS,
    refreshSeconds: metadata.refresh_token_ttl ?? REFRESH_TOKEN_SECONDS,
    refreshFamilySeconds: metadata.refresh_family_ttl,
    refreshMode: metadata.refresh_mode ?? 'overlap',
    bareInvalidGrant: metadata.bare_invalid_grant ?? false,
    idTokenClaims: metadata.id_token_claims,
    platform: metadata.preset,
    takesNativeApproval: metadata.native_approval ?? false,
    googleClientIds: readWords(metadata.google_client_ids),
    createsGoogleAccounts: metadata.google_creates_accounts ?? false,
    googleKeysUri: metadata.google_jwks_uri ?? GOOGLE_JWKS_URI,
    fapi: metadata.fapi ?? false,
    linksHomes: metadata.links_to !== undefined,
    redirectUriParameters: readWords(metadata.redirect_uri_parameters),
    revocationEndsLink: metadata.revocation_ends_link ?? false,
    issuesRefreshToken: client?.grantTypeAllowed('refresh_token') ?? false,
  };
};

/** The metadata of clients that the engine is to keep unchecked: registration has checked them. */
export const policyProperties: readonly string[] = [...policyMetadataNames, 'preset'];
