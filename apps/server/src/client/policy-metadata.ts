import * as z from 'zod/mini';
import { accessTokenSeconds, seconds } from '../settings-file/seconds.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Lifetimes of a client that says nothing, in seconds. */
export const ACCESS_TOKEN_SECONDS = HOUR;
export const REFRESH_TOKEN_SECONDS = 400 * DAY;

const refreshModes = ['overlap', 'rotate', 'static'] as const;

/**
 * What becomes of a refresh token that is used. `overlap`: it is replaced, and stays good until its
 * successor is used. `rotate`: it is replaced and over. `static`: it stays.
 */
export type RefreshMode = (typeof refreshModes)[number];

/** Metadata of ours that settle what a client gets; RFC 7591 has no names for them. */
export const policyMetadata = {
  /** Absent: always for public clients; a `nonce` will do for confidential ones. False for those only. */
  require_pkce: z.optional(z.boolean()),
  access_token_ttl: z.optional(accessTokenSeconds),
  refresh_token_ttl: z.optional(seconds(60, REFRESH_TOKEN_SECONDS)),
  /** The end of all refresh tokens of one code, however often they are used. */
  refresh_family_ttl: z.optional(seconds(60, 10 * 365 * DAY)),
  /** Holds the client to the FAPI 2.0 Security Profile; its other metadata have to agree, see `presets.ts`. */
  fapi: z.optional(z.boolean()),
  refresh_mode: z.optional(z.enum(refreshModes, `must be one of ${refreshModes.join(', ')}`)),
  /** Answers `invalid_grant` alone, as platforms of account linking document it. */
  bare_invalid_grant: z.optional(z.boolean()),
  /** `spec`: claims of scopes are at userinfo alone (OpenID Connect Core section 5.4). */
  id_token_claims: z.optional(z.enum(['spec'], 'must be spec or left out')),
};

const PolicyMetadata = z.object(policyMetadata);
export type PolicyMetadata = z.infer<typeof PolicyMetadata>;

export const policyMetadataNames = Object.keys(policyMetadata);
