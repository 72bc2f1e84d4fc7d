import type { RefreshMode } from '../../../clients/client/policy-metadata.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { engineNowSeconds } from '../seam/engine-time.ts';

const OVERLAP_SECONDS = 60 * 24 * 3600;
const PUBLIC_BEARER_OVERLAP_SECONDS = 600;

/** What the policy of a refresh token depends on in the token, by the engine's names. */
interface RefreshTokenFacts {
  /** When the first token of the family was issued, in seconds since the epoch. */
  iiat?: number | undefined;
  jkt?: string | undefined;
  'x5t#S256'?: string | undefined;
  /** Whether another server issued it, and an import took it over. */
  moved?: unknown;
}

/** The policy of one refresh token, by its client's registration and its own binding. */
export interface RefreshPolicy {
  mode: RefreshMode;
  /** How long a predecessor stays good while its successor is unused. */
  overlapSeconds: number;
  /** When the family ends, in seconds since the epoch; undefined: it lasts as long as it is used. */
  familyEnd: number | undefined;
}

/**
 * The policy of a refresh token. A public client's token is bound to a key or it rotates (RFC 9700 section 2.2.2): so
 * mode `static` holds for a bound token only. A token of another server is replaced by one of ours, whatever the mode,
 * and a lost answer to its first use ends no link.
 */
export const refreshPolicyOf = (
  client: EngineClient | undefined,
  token: RefreshTokenFacts,
): RefreshPolicy => {
  const { refreshMode, refreshFamilySeconds } = policyOf(client);
  const isConstrained = token.jkt !== undefined || token['x5t#S256'] !== undefined;
  const isPublicBearer = client?.clientAuthMethod === 'none' && !isConstrained;
  return {
    mode: token.moved || (isPublicBearer && refreshMode === 'static') ? 'overlap' : refreshMode,
    overlapSeconds: isPublicBearer ? PUBLIC_BEARER_OVERLAP_SECONDS : OVERLAP_SECONDS,
    familyEnd:
      refreshFamilySeconds !== undefined && token.iiat !== undefined
        ? token.iiat + refreshFamilySeconds
        : undefined,
  };
};

/** The lifetime in seconds of a refresh token that is issued or kept now. It never ends after its family. */
export const refreshTokenSeconds = (client: EngineClient | undefined, token: RefreshTokenFacts): number => {
  const { familyEnd } = refreshPolicyOf(client, token);
  const { refreshSeconds } = policyOf(client);
  if (familyEnd === undefined) return refreshSeconds;
  // The engine takes no lifetime of 0; a token of a family that has ended is refused before.
  return Math.max(1, Math.min(refreshSeconds, familyEnd - engineNowSeconds()));
};
