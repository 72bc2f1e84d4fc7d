import type { RefreshMode } from '../../../clients/client/policy-metadata.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { engineNowSeconds } from '../seam/engine-time.ts';
import type { Term } from '../storage/grant-slide.ts';

const OVERLAP_SECONDS = 60 * 24 * 3600;
const PUBLIC_BEARER_OVERLAP_SECONDS = 600;

/** What the policy of a refresh token depends on in the token, by the engine's names. */
interface RefreshTokenFacts {
  /** When the family began, in seconds since the epoch: its first token was issued, or its person renewed it. */
  iiat?: number | undefined;
  jkt?: string | undefined;
  'x5t#S256'?: string | undefined;
  /** Whether another server issued it, and an import took it over. */
  moved?: unknown;
}

/** The policy of one refresh token, by its client's registration and its own binding. */
export interface RefreshPolicy {
  mode: RefreshMode;
  /**
   * How long a predecessor stays good while its successor is unused. Infinity: a client of the mode `static` may never
   * take a token in place of the one that moved with its link.
   */
  overlapSeconds: number;
  /** The absolute end of the family; undefined: it lasts as long as it is used. */
  term: Term | undefined;
  /** When that is, in seconds since the epoch. */
  familyEnd: number | undefined;
}

const overlapOf = ({
  isPublicBearer,
  keepsMoved,
}: {
  isPublicBearer: boolean;
  keepsMoved: boolean;
}): number => {
  if (isPublicBearer) return PUBLIC_BEARER_OVERLAP_SECONDS;
  return keepsMoved ? Infinity : OVERLAP_SECONDS;
};

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
  const term =
    refreshFamilySeconds !== undefined && token.iiat !== undefined
      ? { start: token.iiat, seconds: refreshFamilySeconds }
      : undefined;
  return {
    mode: token.moved || (isPublicBearer && refreshMode === 'static') ? 'overlap' : refreshMode,
    overlapSeconds: overlapOf({
      isPublicBearer,
      keepsMoved: Boolean(token.moved) && refreshMode === 'static',
    }),
    term,
    familyEnd: term && term.start + term.seconds,
  };
};

/**
 * The lifetime in seconds of a refresh token that is issued or kept now, unless its family ends before. The end of the
 * family is no part of it: a person may renew the family while the token is on its way.
 */
export const refreshTokenSeconds = (client: EngineClient | undefined): number =>
  policyOf(client).refreshSeconds;

/** The lifetime in seconds of an access token by a refresh token, of which `seconds` is the usual one: it never outlives the family. */
export const withinFamily = (
  client: EngineClient | undefined,
  token: RefreshTokenFacts | undefined,
  seconds: number,
): number => {
  const { familyEnd } = refreshPolicyOf(client, token ?? { iiat: engineNowSeconds() });
  // The engine takes no lifetime of 0; a token of a family that has ended is refused before.
  return familyEnd === undefined ? seconds : Math.max(1, Math.min(seconds, familyEnd - engineNowSeconds()));
};
