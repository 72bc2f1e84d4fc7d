import type { KoaContextWithOIDC } from 'oidc-provider';
import {
  ACCESS_TOKEN_SECONDS,
  type PolicyMetadata,
  policyMetadataNames,
  REFRESH_TOKEN_SECONDS,
  type RefreshMode,
} from '../client/policy-metadata.ts';

/** A client as the engine has it; metadata of ours keep their names there. */
export type EngineClient = NonNullable<KoaContextWithOIDC['oidc']['client']>;

/** What a client's registration settles beyond RFC 7591. Lifetimes are in seconds. */
export interface ClientPolicy {
  /** RFC 7636; S256 where it is used at all. */
  requirePkce: boolean;
  accessTokenSeconds: number;
  /** How long a refresh token lasts from its issue; each successor begins anew. */
  refreshSeconds: number;
  /** Held to the FAPI 2.0 Security Profile. */
  fapi: boolean;
  /** How long all refresh tokens of one code last together; undefined: as long as they are used. */
  refreshFamilySeconds: number | undefined;
  refreshMode: RefreshMode;
  /** Whether codes and device codes are exchanged for a refresh token too, whatever the scope (decision 004). */
  issuesRefreshToken: boolean;
}

/** The policy of a client; undefined, where no client is known, gets what a client that says nothing has. */
export const policyOf = (client: EngineClient | undefined): ClientPolicy => {
  const metadata = (client ?? {}) as PolicyMetadata;
  return {
    requirePkce: metadata.require_pkce ?? true,
    accessTokenSeconds: metadata.access_token_ttl ?? ACCESS_TOKEN_SECONDS,
    refreshSeconds: metadata.refresh_token_ttl ?? REFRESH_TOKEN_SECONDS,
    fapi: metadata.fapi ?? false,
    refreshFamilySeconds: metadata.refresh_family_ttl,
    refreshMode: metadata.refresh_mode ?? 'overlap',
    issuesRefreshToken: client?.grantTypeAllowed('refresh_token') ?? false,
  };
};

/** The engine keeps these of a client's metadata; registration has checked them. */
export const policyProperties: readonly string[] = policyMetadataNames;
