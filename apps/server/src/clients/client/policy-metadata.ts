import { linkTargets } from '@candela/contract/rules/link-targets';
import * as z from 'zod/mini';
import { accessTokenSeconds, seconds } from '../../ground/settings-file/seconds.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Lifetimes for a client that names none, in seconds. */
export const ACCESS_TOKEN_SECONDS = HOUR;
export const REFRESH_TOKEN_SECONDS = 400 * DAY;

const refreshModes = ['overlap', 'rotate', 'static'] as const;

/**
 * What becomes of a refresh token that is used. `overlap`: it is replaced, and stays good until its successor is used.
 * `rotate`: it is replaced and ends. `static`: it stays.
 */
export type RefreshMode = (typeof refreshModes)[number];

/** What the presets of platforms alone set: see `platform-presets.ts`. */
const platformMetadata = {
  /** Who homes are linked to. The client gets its registered scopes where nothing that it asks for can be granted. */
  links_to: z.optional(z.enum(linkTargets, `must be one of ${linkTargets.join(', ')}`)),
  /** Names, separated by spaces, of parameters that a redirect URI has beyond the registered URI. */
  redirect_uri_parameters: z.optional(z.string()),
  /** Whether the parameters of a token request may stand in its address. */
  token_request_in_query: z.optional(z.boolean()),
  /** Whether revoking an access token ends the link, as revoking a refresh token does. */
  revocation_ends_link: z.optional(z.boolean()),
};

export const platformMetadataNames = Object.keys(platformMetadata) as (keyof typeof platformMetadata)[];

/** Streamlined linking of Google, which the preset `google-home` alone takes. */
const googleMetadata = {
  /** Ids, separated by spaces, of the clients at Google whose ID tokens are taken. With it the client links so. */
  google_client_ids: z.optional(z.string().check(z.maxLength(1000, 'is longer than 1000 characters'))),
  /** Whether Google may have accounts made: the brand has Google show its agreements before. */
  google_creates_accounts: z.optional(z.boolean()),
  /** Where the keys of the ID tokens are. */
  google_jwks_uri: z.optional(z.string()),
};

export const googleMetadataNames = Object.keys(googleMetadata) as (keyof typeof googleMetadata)[];

/** The keys of Google's ID tokens, by its OpenID configuration. */
export const GOOGLE_JWKS_URI = 'https://www.googleapis.com/oauth2/v3/certs';

/** Our own metadata about what a client is issued. A row here is all that a file of clients and the engine need. */
export const policyMetadata = {
  /** Absent: public clients need PKCE, confidential clients PKCE or a `nonce`. Only confidential clients may say false. */
  require_pkce: z.optional(z.boolean()),
  access_token_ttl: z.optional(accessTokenSeconds),
  refresh_token_ttl: z.optional(seconds(60, REFRESH_TOKEN_SECONDS)),
  /** How long all refresh tokens of one code last together, however often they are used. */
  refresh_family_ttl: z.optional(seconds(60, 10 * 365 * DAY)),
  /** Holds the client to the FAPI 2.0 Security Profile, with which its other metadata must agree: see `presets.ts`. */
  fapi: z.optional(z.boolean()),
  refresh_mode: z.optional(z.enum(refreshModes, `must be one of ${refreshModes.join(', ')}`)),
  /** Answers `invalid_grant` without a description, as platforms of account linking document it. */
  bare_invalid_grant: z.optional(z.boolean()),
  /** `spec`: only userinfo has the claims of scopes (OpenID Connect Core section 5.4). */
  id_token_claims: z.optional(z.enum(['spec'], 'must be spec or left out')),
  /** Whether people are asked each time, whatever they approved before. */
  always_ask: z.optional(z.boolean()),
  ...platformMetadata,
  ...googleMetadata,
  /** Whether the brand's own signed-in app may approve the client for a person: `POST /api/approvals`. */
  native_approval: z.optional(z.boolean()),
};

const PolicyMetadata = z.object(policyMetadata);
export type PolicyMetadata = z.infer<typeof PolicyMetadata>;

/**
 * How long the refresh tokens of a client last, in seconds: `idleSeconds` from the last use, and `termSeconds` in all;
 * undefined: as long as they are used.
 */
export const refreshLifetimesOf = (
  metadata: object,
): { idleSeconds: number; termSeconds: number | undefined } => {
  const { refresh_token_ttl = REFRESH_TOKEN_SECONDS, refresh_family_ttl } = metadata as PolicyMetadata;
  return { idleSeconds: refresh_token_ttl, termSeconds: refresh_family_ttl };
};

export const policyMetadataNames = Object.keys(policyMetadata);
