import type { RefreshMode } from '../../client/policy-metadata.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { engineNowSeconds } from '../seam/engine-time.ts';

const OVERLAP_SECONDS = 60 * 24 * 3600;
const PUBLIC_BEARER_OVERLAP_SECONDS = 600;

/** What a refresh token tells of itself that its policy depends on, by the engine's names. */
interface RefreshTokenFacts {
  /** When the first token of the family was issued, in seconds since the epoch. */
  iiat?: number | undefined;
  jkt?: string | undefined;
  'x5t#S256'?: string | undefined;
}

/** What holds for one refresh token by its client's registration and its own binding. */
export interface RefreshPolicy {
  mode: RefreshMode;
  /** How long a predecessor stays good whose successor was not used yet. */
  overlapSeconds: number;
  /** When the family ends however much it is used, in seconds since the epoch; undefined: never. */
  familyEnd: number | undefined;
}

/**
 * The policy of a refresh token. RFC 9700 section 2.2.2: of a public client it is bound to a key or it
 * rotates, so `static` holds for no other.
 */
export const refreshPolicyOf = (
  client: EngineClient | undefined,
  token: RefreshTokenFacts,
): RefreshPolicy => {
  const { refreshMode, refreshFamilySeconds } = policyOf(client);
  const isConstrained = token.jkt !== undefined || token['x5t#S256'] !== undefined;
  const isPublicBearer = client?.clientAuthMethod === 'none' && !isConstrained;
  return {
    mode: isPublicBearer && refreshMode === 'static' ? 'overlap' : refreshMode,
    overlapSeconds: isPublicBearer ? PUBLIC_BEARER_OVERLAP_SECONDS : OVERLAP_SECONDS,
    familyEnd:
      refreshFamilySeconds !== undefined && token.iiat !== undefined
        ? token.iiat + refreshFamilySeconds
        : undefined,
  };
};

/** How many seconds a refresh token lasts that is issued now, or used now and kept: never beyond its family. */
export const refreshTokenSeconds = (client: EngineClient | undefined, token: RefreshTokenFacts): number => {
  const { familyEnd } = refreshPolicyOf(client, token);
  const { refreshSeconds } = policyOf(client);
  if (familyEnd === undefined) return refreshSeconds;
  // The engine takes no lifetime of nothing; a family that is over is refused before it gets here.
  return Math.max(1, Math.min(refreshSeconds, familyEnd - engineNowSeconds()));
};
